import Journal
import Testing

@testable import JournalFormats

/// Reading is given up in the middle of a file, wherever a reader is.
struct GivingUpTests {
  /// A sample of a format whose text has many words.
  private static func long(_ format: ImportFormat) throws -> (FormatSample, [UInt8])? {
    let sample = try FormatSample.of(format)
    guard sample.database == nil else { return nil }
    let words = "two" + String(repeating: " *word* [x](y)", count: 10_000)
    return (sample, utf8(sample.text().replacing("two", with: words)))
  }

  private static func input(_ sample: FormatSample, _ bytes: [UInt8]) -> ImportInput {
    guard !sample.isDirectory else {
      return .directory(DirectoryInMemory(bytes: [sample.path: bytes]))
    }
    var rest = bytes[...]
    let stream = ByteStream {
      let piece = Array(rest.prefix(1 << 15))
      rest = rest.dropFirst(piece.count)
      return piece
    }
    return .file(stream)
  }

  /// Reads a long file until a number of questions, and returns what came after it.
  private static func read(
    _ format: ImportFormat, _ sample: FormatSample, _ bytes: [UInt8], limit: Int
  ) throws -> (questions: Int, isGivenUp: Bool) {
    var options = options()
    options.name = sample.path
    var questions = 0
    var isGivenUp = false
    do {
      let question = {
        questions += 1
        return questions > limit
      }
      try GivenUp.asking(question) {
        var source = try format.source(input(sample, bytes), options: options)
        while try source.next() != nil {
          #expect(questions <= limit, "\(format): an item after it was given up")
        }
      }
    } catch is GivenUp {
      isGivenUp = true
    }
    return (questions, isGivenUp)
  }

  @Test(
    "a text of any format can be given up while it is read and parsed, and no item comes after it",
    arguments: ImportFormat.allCases)
  func everyFormat(format: ImportFormat) throws {
    guard let (sample, bytes) = try Self.long(format) else { return }
    let whole = try Self.read(format, sample, bytes, limit: .max)
    #expect(!whole.isGivenUp)
    #expect(whole.questions >= 2, "\(format): \(whole.questions) questions")
    for limit in Set([0, whole.questions / 2, whole.questions - 1]) {
      let cut = try Self.read(format, sample, bytes, limit: limit)
      #expect(cut.isGivenUp, "\(format): \(limit) of \(whole.questions)")
    }
  }

  @Test("nothing is asked where nobody waits")
  func nobody() throws {
    #expect(!GivenUp.isDue)
    try GivenUp.check()
  }

  @Test("a text that no entry can hold is refused with its size")
  func tooLong() throws {
    try FormatError.check(textOf: Entry.textByteLimit)
    #expect(throws: FormatError(entry: "has a text of 65 MiB; an entry holds 64 MiB: split it")) {
      try FormatError.check(textOf: Entry.textByteLimit + 1)
    }
  }
}
