/// A command of the shell that the screen runs too, as the shell's argument parser describes it.
package struct ShellCommand: Equatable, Sendable {
  /// An option or an argument.
  package struct Argument: Equatable, Sendable {
    /// The names with their hyphens; none for an argument.
    package var names: [String]
    /// The name of its value, which tells its kind: `query`, `when`, `file`.
    package var valueName: String
    /// All values, where they are few.
    package var values: [String]
    /// Whether it takes no value.
    package var isFlag: Bool

    package init(names: [String], valueName: String, values: [String], isFlag: Bool) {
      (self.names, self.valueName, self.values, self.isFlag) = (names, valueName, values, isFlag)
    }

    /// What its value is, for completion.
    package var kind: CompletionContext {
      values.isEmpty ? CompletionContext(valueName: valueName) : .choice(values)
    }
  }

  package var name: String
  /// Its options and arguments, without those that every command has.
  package var arguments: [Argument]

  package init(_ name: String, arguments: [Argument] = []) {
    (self.name, self.arguments) = (name, arguments)
  }
}

/// The commands of the line after `:`: the forms of the screen, and the commands of the shell.
///
/// The line, its completion and the nearest name for a wrong one are all read from here. A new command
/// of the shell is among them without a word here.
package struct CommandCatalog: Equatable, Sendable {
  private let shell: [ShellCommand]
  /// Every word a line can begin with, in alphabetic order.
  package let names: [String]

  package init(shell: [ShellCommand] = []) {
    self.shell = shell
    names = Set(CommandForm.all.map(\.name) + shell.map(\.name)).sorted()
  }

  /// The command that a word means: itself, or the only one that begins with it.
  ///
  /// - Throws: ``Command/Failure`` that names the candidates when several commands begin with the word.
  package func name(_ word: String) throws(Command.Failure) -> String {
    if Command.isFromVim(word) { return word }
    let candidates = names.filter { $0.hasPrefix(word) }
    guard !word.isEmpty, !candidates.isEmpty, !candidates.contains(word) else { return word }
    guard candidates.count == 1 else {
      throw Command.Failure(
        message: "\(word) may be \(candidates.joined(separator: ", ")); type more")
    }
    return candidates[0]
  }

  /// The shape of a command's line; a command that is not here has nothing to complete.
  func shape(of name: String) -> CommandShape {
    let form = CommandForm.all.first { $0.name == name }
    let arguments = shell.first { $0.name == name }?.arguments ?? []
    let options = arguments.filter { !$0.names.isEmpty }.flatMap { argument in
      argument.names.filter { $0.hasPrefix("--") }.map {
        CommandShape.Option(name: $0, value: argument.isFlag ? nil : argument.kind)
      }
    }
    let positional = arguments.filter(\.names.isEmpty).map(\.kind)
    return CommandShape(options: options, arguments: form?.arguments ?? positional)
  }
}

/// The words of a command's line, for completion.
struct CommandShape: Equatable {
  struct Option: Equatable {
    var name: String
    /// The kind of its value; `nil` for an option without one.
    var value: CompletionContext?
  }

  var options: [Option] = []
  /// The kinds of the arguments; the last one repeats.
  var arguments: [CompletionContext] = []

  /// Whether everything after the command's name is one argument.
  var takesRest: Bool { arguments.first == .path }

  /// Whether names of files are among its words.
  var takesFiles: Bool { arguments.contains(.file) || options.contains { $0.value == .file } }

  /// The kind of the argument with this index.
  func argument(_ index: Int) -> CompletionContext {
    guard let last = arguments.last else { return .nothing }
    return index < arguments.count ? arguments[index] : last
  }

  /// The option of a name, which begins with its hyphens.
  func option(_ name: String) -> Option? { options.first { $0.name == name } }
}
