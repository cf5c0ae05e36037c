/// What the words of a command line are, for completion.
struct CommandShape: Equatable {
  /// The options and what their values are; `nil` for an option without one.
  var options: [(name: String, value: CompletionContext?)] = []
  /// What stands in the places of the arguments; the last one repeats.
  var arguments: [CompletionContext] = []

  static func == (left: CommandShape, right: CommandShape) -> Bool {
    left.arguments == right.arguments && left.options.elementsEqual(right.options, by: ==)
  }

  /// Whether everything behind the command's name is one argument.
  var takesRest: Bool { arguments.first == .path }

  /// Whether names of files stand in it.
  var takesFiles: Bool {
    arguments.contains(.file) || options.contains { $0.value == .file }
  }

  /// What the argument in a place is, counted from 0.
  func argument(_ place: Int) -> CompletionContext {
    guard let last = arguments.last else { return .nothing }
    return place < arguments.count ? arguments[place] : last
  }

  /// The option of a name, which begins with its hyphens.
  func option(_ name: String) -> (name: String, value: CompletionContext?)? {
    options.first { $0.name == name }
  }
}
