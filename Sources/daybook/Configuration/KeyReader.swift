import Screen
import Terminal
import TextLayout

extension KeyChange {
  /// Its path in a configuration file.
  var path: [String] {
    ["keys"] + (context.map { [$0.name] } ?? []) + [sequence.description]
  }
}

/// Parses lines of `[keys]`: `"x" = "tick"`, and `"x" = ""` or `false` to remove a key.
enum KeyReader {
  /// The reason why a line is invalid.
  struct Wrong: Error, Equatable {
    /// The error, and the valid values.
    var message: String
  }

  /// The requested change of a line, whose path begins with `keys`.
  ///
  /// - Throws: ``Wrong``.
  static func change(_ item: ConfigItem) throws(Wrong) -> KeyChange {
    guard let notation = item.path.last, item.path.count <= 3 else {
      throw Wrong(message: "too many dots; write a key with a dot in quotes")
    }
    let context = item.path.count == 3 ? try context(item.path[1]) : nil
    return KeyChange(try sequence(notation), try action(item.value), in: context)
  }

  /// The message for a conflict.
  static func words(_ conflict: KeyChange.Conflict, _ change: KeyChange) -> String {
    switch conflict {
    case .begins(let other, let action):
      "\"\(change.sequence)\" is the beginning of \"\(other)\" (\(action.rawValue));"
        + " remove that first: \"\(other)\" = \"\""
    case .continues(let other, let action):
      "\"\(change.sequence)\" begins with \"\(other)\" (\(action.rawValue));"
        + " remove that first: \"\(other)\" = \"\""
    }
  }

  private static func context(_ name: String) throws(Wrong) -> KeyContext {
    if let context = KeyContext(rawValue: name) { return context }
    let names = KeyContext.allCases.map(\.name)
    throw Wrong(
      message: ConfigProblem.unknown(
        "table", "keys.\(name)", among: names.map { "keys.\($0)" },
        else: "use \(names.map { "[keys.\($0)]" }.joined(separator: ", "))"))
  }

  /// The keys in canonical notation: `<c-d>` becomes `<C-d>`.
  private static func sequence(_ notation: String) throws(Wrong) -> KeySequence {
    var keys: [String] = []
    for key in KeySequence(notation).keys {
      guard let stroke = KeyStroke(named: key) else {
        throw Wrong(
          message: "\"\(key)\" is not a key; write x, <C-x>, <A-x>, <Enter>, <F1> or <lt>")
      }
      keys.append(stroke.name)
    }
    guard let first = keys.first else { throw Wrong(message: "the key is empty") }
    if "123456789".contains(first) {
      throw Wrong(message: "\"\(notation)\": a number before a key is a count")
    }
    return KeySequence(keys: keys)
  }

  private static func action(_ value: ConfigValue) throws(Wrong) -> Action? {
    switch value {
    case .text(""), .flag(false): return nil
    case .text(let name):
      if let action = Action(rawValue: name) { return action }
      throw Wrong(
        message: ConfigProblem.unknown(
          "action", name, among: Action.allCases.map(\.rawValue),
          else: "daybook config keys lists them"))
    default: throw Wrong(message: "a key is set to the name of an action, or to \"\" for none")
    }
  }
}
