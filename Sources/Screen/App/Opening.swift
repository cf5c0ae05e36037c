import Journal
import TextLayout

/// The facts that a screen opens a journal with; its first state follows from them alone.
package struct Opening: Codable, Equatable, Sendable {
  /// The journal's name in the status line: the file's name.
  package var journal: String
  /// The journal day with the title "Today".
  package var today: Day
  /// The size of the screen.
  package var size: Size
  /// The settings of the configuration.
  package var settings: Settings
  /// The view of the last run.
  package var view = ViewState()
  /// The filter of the command line, in place of that of the last run; empty for none.
  package var filter = ""
  /// Whether the command line keeps a prompt for new entries open.
  package var keepsPrompt = false
  /// Whether a person types the keys.
  package var keysAreTyped = true
  /// Whether the screen ends with the answers to the questions of a template.
  package var endsWithForm: Bool?
  /// Whether the screen is read out line by line, and not drawn.
  package var isLinear: Bool?
  /// Whether the screen can strike text out.
  package var strikes: Bool?
  /// Whether the screen can draw pictures.
  package var drawsPictures: Bool?
  /// The size of a cell in pixels, where the terminal draws pictures in pixels.
  package var pictureCell: CellSize?
  /// Whether the journal is opened read-only.
  package var isReadOnly = false
  /// The moment of the past that is shown; `nil` for the present.
  package var past: Moment?
  /// The month and weekday names of the user's locale.
  package var dateNames = DateNames.ofUser

  package init(journal: String, today: Day, size: Size, settings: Settings = Settings()) {
    self.journal = journal
    self.today = today
    self.size = size
    self.settings = settings
  }
}

extension State {
  /// Makes the state before the journal is read.
  ///
  /// - Parameter catalog: the commands of this program.
  package init(_ opening: Opening, catalog: CommandCatalog) {
    self.init(journal: opening.journal, today: opening.today, size: opening.size)
    self.commands.catalog = catalog
    journal.isReadOnly = opening.isReadOnly
    journal.past = opening.past
    environment.keysAreTyped = opening.keysAreTyped
    environment.endsWithForm = opening.endsWithForm == true
    environment.dateNames = opening.dateNames
    environment.isLinear = opening.isLinear == true
    environment.strikes = opening.strikes == true
    environment.drawsPictures = opening.drawsPictures == true
    environment.pictureCell = opening.pictureCell
    take(opening.settings)
    opening.view.apply(to: &self)
    if !opening.filter.isEmpty { list.scope = list.scope.filtered(by: opening.filter) }
    if opening.keepsPrompt { prompt.reopens = true }
  }
}
