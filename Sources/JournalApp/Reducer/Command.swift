/// A line typed after `:`, understood.
public enum Command: Equatable, Sendable {
  /// What a key does too.
  case action(Action)
  /// `add TEXT`
  case add(String)
  /// `show`, `edit`, `delete`, `star`, `unstar`, with a number or for the selected entry.
  case onEntry(Verb, Int64?)
  /// `goto DATE`
  case goTo(String)
  /// Nothing was typed.
  case nothing

  /// What can be done to one entry.
  public enum Verb: String, CaseIterable, Sendable {
    /// Read it.
    case show
    /// Edit it in the prompt.
    case edit
    /// Move it to the trash.
    case delete
    /// Star it.
    case star
    /// Take the star away.
    case unstar
  }

  /// Why a line is no command: one line for the status line.
  public struct Failure: Error, Equatable, Sendable {
    /// What is wrong and what to do.
    public var message: String
  }

  /// Every word a line can begin with, for completion and for naming the nearest.
  public static let names =
    (["add", "goto"] + Verb.allCases.map(\.rawValue) + Array(actions.keys)).sorted()

  private static let actions: [String: Action] = [
    "help": .help, "q": .quit, "quit": .quit, "redo": .redo, "undo": .undo,
  ]

  /// Understands a line.
  ///
  /// - Throws: ``Failure`` for an unknown word or a wrong argument.
  public init(_ line: String) throws(Failure) {
    let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
    let name = words.first.map(String.init) ?? ""
    let rest = words.count > 1 ? String(words[1]) : ""
    if name.isEmpty {
      self = .nothing
    } else if let action = Self.actions[name] {
      self = .action(action)
    } else if let verb = Verb(rawValue: name) {
      self = .onEntry(verb, try Self.number(rest, for: name))
    } else if name == "add" {
      guard !rest.isBlank else { throw Failure(message: "add: nothing to save; type a text") }
      self = .add(rest)
    } else if name == "goto" {
      guard !rest.isBlank else { throw Failure(message: "goto: type a date") }
      self = .goTo(rest)
    } else {
      throw Failure(message: Self.unknown(name))
    }
  }

  private static func number(_ text: String, for name: String) throws(Failure) -> Int64? {
    let text = text.filter { $0 != " " }
    if text.isEmpty { return nil }
    guard let number = Int64(text), number > 0 else {
      throw Failure(message: "\(name): \(text) is not the number of an entry")
    }
    return number
  }

  private static func unknown(_ name: String) -> String {
    let nearest = Spelling.nearest(to: name, among: names)
    return "no command \(name)" + (nearest.map { "; did you mean :\($0)?" } ?? "; ? shows the keys")
  }
}
