import Journal
import Screen
import Terminal
import TextLayout

/// Spelling in the prompt: underlines wrong words, offers others at `^X s`.
///
/// The text is only looked at in memory; a word goes into a file only by the key that adds it.
final class PromptSpelling {
  /// The languages of the settings.
  var languages: () -> [String] = { [] }
  /// The directory of the user's own words; replaced by tests.
  var directory: () -> String? = { Places.configuration() }
  /// Makes the checker of languages; replaced by tests.
  var open: ([String], PersonalWords) -> (checker: SpellChecker?, problems: [Failure]) = {
    SpellChecker.open($0, own: $1)
  }
  /// Reports what is missing.
  var report: (Event) -> Void = { _ in }
  private var checker: SpellChecker?
  /// The languages of the checker.
  private var opened: [String] = []
  /// The wrong words on the screen.
  private var shown: [Range<Int>] = []
  /// The offered words.
  private var choice: SpellingChoice?

  /// Whether words are offered, so that the next key chooses.
  var isChoosing: Bool { choice != nil }

  /// Begins with a new prompt; what is missing is reported once for each choice of languages.
  ///
  /// - Parameter isWriting: whether the prompt is for the text of an entry, so that spelling counts.
  func begin(isWriting: Bool) {
    (shown, choice) = ([], nil)
    let wanted = languages()
    guard isWriting, wanted != opened else { return }
    opened = wanted
    let (checker, problems) = open(wanted, PersonalWords(directory: directory()))
    self.checker = checker
    for problem in problems { report(.journal(.noted(problem.screenMessage))) }
  }

  /// The wrong words of a text, if they differ from those on the screen.
  func news(_ text: String, _ point: Int) -> [Event] {
    guard let checker else { return [] }
    let found = SpelledWords.words(of: text, near: point)
      // A word is not wrong while it is typed.
      .filter { $0.range.upperBound != point && !checker.isKnown($0.text) }.map(\.range)
    guard found != shown else { return [] }
    shown = found
    return [.prompt(.misspelledFound(found))]
  }

  /// Offers words for the wrong word at the cursor, else the nearest one before it, else after it.
  func ask(_ text: String, _ point: Int) -> Event {
    guard let checker else {
      return .journal(
        .failed(
          opened.isEmpty
            ? "no languages for spelling; set spell.languages, as in \"en_GB\""
            : "no dictionary of \(opened.joined(separator: ", ")) is installed"))
    }
    let wrong = SpelledWords.words(of: text, near: point).filter { !checker.isKnown($0.text) }
    guard let word = wrong.last(where: { $0.range.lowerBound <= point }) ?? wrong.first else {
      return .journal(.noted("no wrong word here"))
    }
    let choice = SpellingChoice(
      word: word.text, range: word.range, suggestions: checker.suggestions(for: word.text))
    self.choice = choice
    return .prompt(.suggestionsFound(choice))
  }

  /// The effect of a key while words are offered.
  enum Answer {
    /// A word replaces the wrong one.
    case replace(Range<Int>, String, [Event])
    /// Nothing more is to be done.
    case handled([Event])
    /// The offer is closed, and the key has its usual effect.
    case closed([Event])
  }

  /// Answers a key while words are offered: a digit takes a word, Enter the first one, `+` adds the wrong
  /// one, Esc closes; every other key closes, too, and has its usual effect.
  ///
  /// - Parameter text: the text of the prompt.
  func answer(_ event: KeyEvent, in text: String) -> Answer {
    guard let choice else { return .closed([]) }
    self.choice = nil
    let closing = Event.prompt(.suggestionsFound(nil))
    guard case .stroke(let stroke) = event else { return .closed([closing]) }
    switch stroke.name {
    case "<Esc>": return .handled([closing])
    case "+":
      do throws(Failure) {
        try checker?.add(choice.word)
        return .handled([closing, .journal(.noted("\(choice.word) is one of your words"))])
      } catch {
        return .handled([closing, .journal(.failed(error.screenMessage))])
      }
    default:
      let number = stroke.name == "<Enter>" ? 1 : Int(stroke.name) ?? 0
      guard choice.suggestions.indices.contains(number - 1), choice.isIn(text) else {
        return stroke.name == "<Enter>" ? .handled([closing]) : .closed([closing])
      }
      return .replace(choice.range, choice.suggestions[number - 1], [closing])
    }
  }
}
