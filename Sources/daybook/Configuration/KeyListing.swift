import JournalApp

/// The bindings as `daybook config keys` prints them.
///
/// They stand in code and not in a file beside the themes, since each action owns its help and a
/// missing one is then an error of the compiler; printed, they are what one pastes to change them.
struct KeyListing {
  private let table: KeyTable

  /// Makes a listing of a table.
  init(_ table: KeyTable) {
    self.table = table
  }

  /// A table for each context, each binding with what it does.
  var toml: String {
    KeyContext.allCases.map { context in
      let lines = bindings(in: context).map { binding in
        "\(TOMLText.quoted(notation(binding))) = \(TOMLText.quoted(binding.action.rawValue))"
          + "  # \(binding.action.help)"
      }
      return (["[keys.\(context.name)]"] + lines).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  /// A list of objects with `context`, `keys`, `action` and `help`.
  var json: String {
    JSONLine.list(
      KeyContext.allCases.flatMap { context in
        bindings(in: context).map { binding in
          JSONLine.object([
            ("context", context.name), ("keys", notation(binding)),
            ("action", binding.action.rawValue), ("help", binding.action.help),
          ])
        }
      })
  }

  private func bindings(in context: KeyContext) -> [Binding] {
    table.bindings.filter { $0.contexts.contains(context) }
  }

  /// The sequence with a space as a word, since a blank is easily overlooked.
  private func notation(_ binding: Binding) -> String {
    binding.sequence.keys.map { $0 == " " ? "<Space>" : $0 }.joined()
  }
}
