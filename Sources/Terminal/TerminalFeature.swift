import TextLayout

/// A thing that terminals can do and ncurses does not know, with all sequences that it needs: the only
/// place that has them.
///
/// ``off`` ends what ``on`` begins on every way out, see ``TerminalFeatures/leaving``.
package enum TerminalFeature: String, CaseIterable, Sendable {
  /// The title of the window.
  case title
  /// Pasted text is marked as such.
  case paste
  /// Buttons and the wheel are reported.
  case mouse
  /// The terminal names its background.
  case background
  /// Text that opens an address.
  case links
  /// Text for the clipboard.
  case clipboard
  /// A frame appears as a whole.
  case synchronized
  /// A sequence of emoji has the width of one.
  case clusters
  /// Every key has bytes of its own.
  case keyboard
  /// The terminal reports that its colours have changed.
  case scheme
  /// The terminal reports that its window got the keyboard.
  case focus
  /// The progress of long work in the tab.
  case progress
  /// Marks around the output of `list`.
  case marks
  /// Pictures in pixels, see ``KittyPictures``.
  case pictures
  /// Pictures in pixels over cells, see ``OverlaidPictures``.
  case sixel
  /// The same as files of iTerm2's protocol.
  case files
}

extension TerminalFeature {
  /// How the program learns that a terminal has the feature.
  package enum Ground: Equatable, Sendable {
    /// It is sent to all terminals that parse ECMA-48, which ignore modes that they do not have.
    case ansi
    /// It is sent to terminals of families that have it or ignore it, by their name.
    case family
    /// The terminal says so when asked for this private mode (DECRQM).
    case mode(Int)
    /// The terminal answers the question.
    case answer
    /// The terminal sets a variable that it documents, see ``ProgressTerminal``.
    case environment
    /// The user says so in `config.toml`.
    case setting
  }

  /// A row of the table.
  private struct Row {
    let ground: Ground
    var question = ""
    var on = ""
    var off = ""
  }

  private var row: Row {
    switch self {
    // The title is saved before and has no text of the user's.
    case .title: Row(ground: .family, on: "\u{1B}[22;2t\u{1B}]2;Daybook\u{07}", off: "\u{1B}[23;2t")
    case .paste: Row(ground: .ansi, on: "\u{1B}[?2004h", off: "\u{1B}[?2004l")
    // The SGR form has no limit of columns; with Shift, the terminal still selects text.
    case .mouse:
      Row(
        ground: .ansi, on: "\u{1B}[?1002h\u{1B}[?1006h", off: "\u{1B}[?1006l\u{1B}[?1002l")
    case .background: Row(ground: .family, question: "\u{1B}]11;?\u{1B}\\")
    case .links: Row(ground: .family, on: "\u{1B}]8;;", off: "\u{1B}]8;;\u{1B}\\")
    // An old terminal could print the text.
    case .clipboard: Row(ground: .family, on: "\u{1B}]52;c;")
    case .synchronized: Self.mode(2026)
    case .clusters: Self.mode(2027)
    // Flag 1: keys whose bytes could be something else have bytes of their own.
    case .keyboard:
      Row(ground: .answer, question: "\u{1B}[?u", on: "\u{1B}[>1u", off: "\u{1B}[<u")
    case .scheme:
      Row(
        ground: .mode(2031), question: "\u{1B}[?2031$p\u{1B}[?996n", on: "\u{1B}[?2031h",
        off: "\u{1B}[?2031l")
    case .focus: Self.mode(1004)
    // An unknown share; the share itself is ``progress(percent:)``.
    case .progress:
      Row(ground: .environment, on: "\u{1B}]9;4;3\u{1B}\\", off: "\u{1B}]9;4;0\u{1B}\\")
    case .marks:
      Row(
        ground: .setting, on: "\u{1B}]133;A\u{1B}\\\u{1B}]133;C\u{1B}\\",
        off: "\u{1B}]133;D;0\u{1B}\\")
    // A picture of one pixel, the terminal's name, and the size of a cell.
    case .pictures:
      Row(
        ground: .answer,
        question: "\u{1B}_Gi=\(TerminalReport.picture),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\"
          + "\u{1B}[>q\u{1B}[16t",
        on: "\u{1B}_Ga=T,U=1,", off: "\u{1B}_Ga=d,d=I,")
    // The number of colours; that it has sixels is the 4 of its device attributes.
    case .sixel:
      Row(
        ground: .answer, question: "\u{1B}[?1;1;0S", on: "\u{1B}P0;1;0q", off: "\u{1B}\\")
    // By the terminal's name, for which `pictures` asks.
    case .files: Row(ground: .answer, on: "\u{1B}]1337;File=", off: "\u{07}")
    }
  }

  private static func mode(_ number: Int) -> Row {
    Row(
      ground: .mode(number), question: "\u{1B}[?\(number)$p", on: "\u{1B}[?\(number)h",
      off: "\u{1B}[?\(number)l")
  }

  /// How the program learns that the terminal has it.
  package var ground: Ground { row.ground }
  /// The question, whose answer is a ``TerminalReport``; empty if none is asked.
  package var question: [UInt8] { Array(row.question.utf8) }
  /// The bytes that begin it.
  package var on: [UInt8] { Array(row.on.utf8) }
  /// The bytes that end it.
  package var off: [UInt8] { Array(row.off.utf8) }

  /// Whether it is on as long as the program has the terminal, and not only around some bytes.
  package var isHeld: Bool {
    switch self {
    case .title, .paste, .mouse, .keyboard, .scheme, .focus: true
    case .background, .links, .clipboard, .synchronized, .clusters, .progress, .marks, .pictures,
      .sixel, .files:
      false
    }
  }

  /// Ends several questions: every terminal answers it, and after the others (DA1).
  package static let lastQuestion = Array("\u{1B}[c".utf8)

  /// The share of finished work, from 0 to 100.
  package static func progress(percent: Int) -> [UInt8] {
    Array("\u{1B}]9;4;1;\(min(max(percent, 0), 100))\u{1B}\\".utf8)
  }
}

/// The features of one terminal: what it said it has, and what the program wants.
struct TerminalFeatures {
  /// Whether the terminal parses ECMA-48.
  private let isANSI: Bool
  /// Whether its name is one of the families.
  private let isFamily: Bool
  /// The features wanted while the program has the terminal.
  private(set) var wanted: Set<TerminalFeature> = [.title, .paste]
  /// The features that the terminal reported.
  private(set) var found: Set<TerminalFeature> = []
  /// The features that were on before the program started, and stay on.
  private var foundOn: Set<TerminalFeature> = []
  /// Whether emoji sequences have the width of one always.
  private var alwaysClusters = false
  /// Whether the terminal takes pictures, and whether it shows them by placeholders.
  private var (takesPictures, placesPictures) = (false, false)

  init(isANSI: Bool, isFamily: Bool) {
    (self.isANSI, self.isFamily) = (isANSI, isFamily)
  }

  /// Whether the terminal has a feature.
  func has(_ feature: TerminalFeature) -> Bool {
    switch feature.ground {
    case .ansi: isANSI
    case .family: isFamily
    case .mode, .answer: found.contains(feature)
    case .environment, .setting: false
    }
  }

  /// Whether a feature is wanted and there.
  private func uses(_ feature: TerminalFeature) -> Bool {
    wanted.contains(feature) && has(feature)
  }

  /// The features that are on while the program has the terminal, in the order of the table.
  var held: [TerminalFeature] { TerminalFeature.allCases.filter { $0.isHeld && uses($0) } }

  /// The questions to a terminal that may answer, which ends with ``TerminalFeature/lastQuestion``.
  ///
  /// - Parameters:
  ///   - followsBackground: whether its background and its changes matter.
  ///   - pictures: the ways to draw pictures that it may have.
  static func questions(
    followsBackground: Bool, pictures: [TerminalFeature] = []
  ) -> [UInt8] {
    let asked: [TerminalFeature] =
      [.synchronized, .clusters, .keyboard] + pictures
    let colors: [TerminalFeature] = [.background, .scheme, .focus]
    return (followsBackground ? colors + asked : asked).flatMap(\.question)
      + TerminalFeature.lastQuestion
  }

  mutating func want(_ feature: TerminalFeature, _ isWanted: Bool = true) {
    if isWanted { wanted.insert(feature) } else { wanted.remove(feature) }
  }

  /// Takes an answer.
  ///
  /// - Returns: the feature that the terminal has as it says now; nil if it said so before.
  mutating func take(_ report: TerminalReport) -> TerminalFeature? {
    switch report {
    case .mode(let number, let state):
      guard let feature = TerminalFeature.allCases.first(where: { $0.ground == .mode(number) }),
        state != .unknown, state != .alwaysOff
      else { return nil }
      if state == .on || state == .alwaysOn, !found.contains(feature) { foundOn.insert(feature) }
      if feature == .clusters { alwaysClusters = state == .alwaysOn }
      return found.insert(feature).inserted ? feature : nil
    case .keyboard: return found.insert(.keyboard).inserted ? .keyboard : nil
    case .graphics(let isTaken):
      takesPictures = isTaken
      return foundPictures()
    case .name(let name):
      placesPictures = KittyPictures.hasPlaceholders(name)
      if OverlaidPictures.takesFiles(name) { return found.insert(.files).inserted ? .files : nil }
      return foundPictures()
    case .attributes(let numbers):
      return numbers.contains(4) && found.insert(.sixel).inserted ? .sixel : nil
    case .scheme, .focus, .background, .cell, .colors: return nil
    }
  }

  /// A terminal draws pictures if it both takes and places them.
  private mutating func foundPictures() -> TerminalFeature? {
    takesPictures && placesPictures && found.insert(.pictures).inserted ? .pictures : nil
  }

  /// The bytes with which the program takes the terminal.
  var entering: [UInt8] {
    held.flatMap(\.on) + clusteringAlone
  }

  /// The bytes with which it gives the terminal back, in the opposite order: as it was.
  var leaving: [UInt8] {
    // A crash may happen between the two ends of a frame.
    (found.contains(.synchronized) ? TerminalFeature.synchronized.off : [])
      + (found.contains(.clusters) && !alwaysClusters
        ? isClusteringOff ? TerminalFeature.clusters.on : TerminalFeature.clusters.off : [])
      + held.reversed().filter { !foundOn.contains($0) }.flatMap(\.off)
  }

  /// Whether the terminal clusters by itself, which is off meanwhile: ncurses adds up the widths of
  /// characters, and whole sequences are written apart.
  private var isClusteringOff: Bool {
    found.contains(.clusters) && foundOn.contains(.clusters) && !alwaysClusters
  }

  /// The bytes that leave clustering to ``aroundClusters``.
  var clusteringAlone: [UInt8] { isClusteringOff ? TerminalFeature.clusters.off : [] }

  /// The bytes around one sequence of emoji.
  var aroundClusters: (on: [UInt8], off: [UInt8]) {
    alwaysClusters ? ([], []) : (TerminalFeature.clusters.on, TerminalFeature.clusters.off)
  }
}
