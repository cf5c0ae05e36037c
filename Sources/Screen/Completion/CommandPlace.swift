/// The place of the cursor in a command line: the word there, and its kind.
struct CommandPlace {
  /// The word to complete.
  let word: CompletionWord
  /// The kind of the word.
  let context: CompletionContext
  /// The words before it.
  private(set) var words: [String] = []
  /// The word with its quotation marks, if it is a file name.
  private(set) var file: PathWord?

  init(_ line: String, _ point: Int, in catalog: CommandCatalog) {
    let word = CompletionWord(in: line, endingAt: point)
    let before = line.utf8.prefix(word.start).split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A }
      .map { String(Substring($0)) }
    guard let command = before.first else {
      self.init(word, .command)
      return
    }
    let name = command.hasPrefix(":") ? String(command.dropFirst()) : command
    let shape = catalog.shape(of: (try? catalog.name(name)) ?? name)
    if shape.takesRest {
      self.init(CompletionWord(rest: line, endingAt: point), shape.argument(0))
      return
    }
    if shape.takesFiles, let place = CommandPlace(quoted: line, point, shape) {
      self = place
      return
    }
    let (position, value) = Self.read(before.dropFirst(), shape)
    if let value {
      self.init(word, value)
    } else if let equals = word.text.firstIndex(of: "="), word.text.hasPrefix("--") {
      let name = String(word.text[..<equals])
      let start = word.text.index(after: equals)
      let rest = CompletionWord(
        text: String(word.text[start...]), start: word.start + name.utf8.count + 1)
      self.init(rest, shape.option(name)?.value ?? .nothing)
    } else if word.text.hasPrefix("--") || (word.text == "-" && !shape.options.isEmpty) {
      self.init(word, .choice(shape.options.map(\.name)))
    } else {
      self.init(word, shape.argument(position))
    }
    words = before
  }

  private init(_ word: CompletionWord, _ context: CompletionContext) {
    self.word = word
    self.context = context
  }

  /// The place of a file name, possibly in quotation marks; `nil` for any other place.
  private init?(quoted line: String, _ point: Int, _ shape: CommandShape) {
    let word = PathWord(in: line, endingAt: point)
    let (position, value) = Self.read(word.before.dropFirst(), shape)
    guard value ?? shape.argument(position) == .file,
      value != nil || word.quote != nil || !word.text.hasPrefix("-")
    else { return nil }
    self.init(CompletionWord(text: word.text, start: word.start), .file)
    (words, file) = (word.before, word)
  }

  /// The number of arguments before the cursor, and the value that the option right before it
  /// requires.
  private static func read(
    _ words: ArraySlice<String>, _ shape: CommandShape
  ) -> (position: Int, value: CompletionContext?) {
    var position = 0
    var value: CompletionContext?
    for word in words {
      if value != nil {
        value = nil
      } else if let option = shape.option(word) {
        value = option.value
      } else {
        position += 1
      }
    }
    return (position, value)
  }
}

/// The word before the cursor, possibly in quotation marks, as ``Command/words(_:)`` splits a line.
struct PathWord: Equatable {
  /// The text typed so far, without its quotation marks.
  var text = ""
  /// The offset of its first byte in the line, the quotation mark included.
  var start: Int
  /// The quotation mark that is open at the cursor.
  var quote: Character?
  /// The words before it, without quotation marks.
  var before: [String] = []

  /// Finds the word that ends at a byte offset of the line.
  init(in line: String, endingAt point: Int) {
    start = 0
    var isWord = false
    var place = 0
    for character in String(decoding: line.utf8.prefix(max(0, point)), as: UTF8.self) {
      place += character.utf8.count
      if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        (quote, isWord) = (character, true)
      } else if quote == nil, character == " " {
        if isWord { before.append(text) }
        (text, isWord, start) = ("", false, place)
      } else {
        text.append(character)
        isWord = true
      }
    }
  }

  /// The word for a path that a line gets; one with both kinds of quotation marks gets a name without.
  static func spelling(of path: String) -> String {
    let word = PathWord(in: "", endingAt: 0)
    let plain = path.replacing("'", with: "-")
    return word.spelling(of: path, isOpen: false) ?? word.spelling(of: plain, isOpen: false)
      ?? plain
  }

  /// The word for a whole path, in quotation marks if it needs them or begins with one.
  ///
  /// - Returns: `nil` for a path with both kinds of quotation marks, which cannot be quoted.
  func spelling(of path: String, isOpen: Bool) -> String? {
    let needsQuote = path.contains { $0 == " " || $0 == "'" || $0 == "\"" }
    guard let mark = quote ?? (needsQuote ? (path.contains("'") ? "\"" : "'") : nil) else {
      return path
    }
    guard !path.contains(mark) else { return nil }
    // A directory's path continues.
    return String(mark) + path + (isOpen ? "" : String(mark))
  }
}
