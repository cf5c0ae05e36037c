/// A shell command that the screen runs too, as the shell's argument parser describes it.
package struct ShellCommand: Equatable, Sendable {
  /// An option or an argument.
  package struct Argument: Equatable, Sendable {
    /// The names with their hyphens; none for an argument.
    package var names: [String]
    /// The name of its value, from which completion derives the kind: `query`, `when`, `file`.
    package var valueName: String
    /// All values, if they are few.
    package var values: [String]
    /// Whether it takes no value.
    package var isFlag: Bool

    package init(names: [String], valueName: String, values: [String], isFlag: Bool) {
      (self.names, self.valueName, self.values, self.isFlag) = (names, valueName, values, isFlag)
    }

    /// The kind of its value, for completion.
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

/// The line after `:`.
package struct CommandState: Equatable, Sendable {
  /// The commands that it knows.
  package var catalog = CommandCatalog()
  /// The line whose effects are being carried out.
  package var line: String?
}

/// The commands of the prompt `:`: forms of the screen, and commands of the shell.
///
/// Parsing, completion and the correction of misspelled names read this catalog. A new command of
/// the shell needs no row here.
package struct CommandCatalog: Equatable, Sendable {
  private let shell: [ShellCommand]
  /// The names of the shell's commands that do not run on the screen.
  let shellOnly: Set<String>
  /// Every first word of a line, in alphabetic order.
  package let names: [String]

  package init(shell: [ShellCommand] = [], shellOnly: Set<String> = []) {
    (self.shell, self.shellOnly) = (shell, shellOnly)
    names = Set(CommandForm.all.map(\.name) + shell.map(\.name)).sorted()
  }

  /// Whether the shell has a command of this name that the screen runs too.
  func isOfShell(_ name: String) -> Bool { shell.contains { $0.name == name } }

  /// The command of a word: its full name, or the only one with this prefix.
  ///
  /// - Throws: ``Command/Failure`` that names the candidates for an ambiguous prefix.
  package func name(_ word: String) throws(Command.Failure) -> String {
    if Command.isFromVim(word) { return word }
    let candidates = names.filter { $0.hasPrefix(word) }
    guard !word.isEmpty, !candidates.isEmpty, !candidates.contains(word) else { return word }
    guard candidates.count == 1 else {
      throw Command.Failure(
        message: "\(word) is ambiguous: \(candidates.joined(separator: ", "))")
    }
    return candidates[0]
  }

  /// The shape of a command's line; an unknown command completes nothing.
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

  /// The kind of the argument at an index.
  func argument(_ index: Int) -> CompletionContext {
    guard let last = arguments.last else { return .nothing }
    return index < arguments.count ? arguments[index] : last
  }

  /// The option with a name, hyphens included.
  func option(_ name: String) -> Option? { options.first { $0.name == name } }
}
