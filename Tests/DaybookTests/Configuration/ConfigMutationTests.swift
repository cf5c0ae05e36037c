import Foundation
import TestSupport
import Testing

@testable import daybook

/// A malformed `config.toml` is reported and ignored, and never ends the program, although the TOML
/// parser has assertions that would.
struct ConfigMutationTests {
  /// Texts that ended the program once.
  static let corpus = [
    String(repeating: "[", count: 70), "[\u{7F}", "a =1979-05-27 1\nb", "d = 1979-05-27TP7:32:00",
    "a = [true,fals false], {\u{2028} [trua", "a = 1979-05-27T07:3", "a = 07:3", "[\u{1}",
    "a." + String(repeating: "b.", count: 40_000) + "c = 1",
    "a = " + String(repeating: "[", count: 20_000) + String(repeating: "]", count: 20_000),
    String(repeating: "a={", count: 20_000) + String(repeating: "}", count: 20_000),
    "[" + String(repeating: "a.", count: 40_000) + "b]", "\"", "'''", "a = \"\\", "=", "]", "{",
  ]

  @Test("what ended the program once is told with its line", arguments: corpus)
  func known(text: String) {
    let problem = #expect(throws: ConfigProblem.self) { try ConfigDocument(text, file: "f.toml") }
    #expect(problem?.line != nil)
    #expect(problem?.description.contains("\n") == false)
  }

  @Test("a command runs with its text kept to itself by such a file")
  func command() throws {
    let program = try Program()
    let directory = program.home.appending(path: ".config/daybook")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try Data(Self.corpus[0].utf8).write(to: directory.appending(path: "config.toml"))
    let result = try program.run(["add", "text"])
    #expect(result.code == 0)
    #expect(result.errors.hasPrefix("daybook: config.toml:1:3: "))
    #expect(result.errors.hasSuffix("; the file is ignored\n"))
  }

  /// Pieces of TOML, and bytes that are none.
  private static let pieces = [
    "[", "]", "[[", "]]", "{", "}", "\"", "\"\"\"", "'", "'''", "\\u12", "\\U0011", "\\", "\n",
    "\r\n",
    "\r", "=", ".", ",", "#", " ", "\t", "0", "-", "+", "1e", "0x", "0b", "0o", "_", "inf", "nan",
    "true", "fals", "1979-05-27", "T07:32:00Z", "07:32", "é", "\u{FEFF}", "\u{1}", "\u{7F}",
    "\u{2028}", "a", "Z", ":", "a.b", "1979-05-27 07:32:00", "9223372036854775808", "keys",
    "themes",
  ]

  private static func mutated(_ seed: String, _ generator: inout SeededGenerator) -> String {
    var scalars = Array(seed.unicodeScalars)
    for _ in 0...generator.below(5) {
      let place = generator.below(scalars.count + 1)
      let piece = pieces[generator.below(pieces.count)].unicodeScalars
      switch generator.below(5) {
      case 0: scalars.insert(contentsOf: piece, at: place)
      case 1:
        let many = (0...generator.below(100)).flatMap { _ in Array(piece) }
        scalars.insert(contentsOf: many, at: place)
      case 2: scalars.removeSubrange(place..<min(place + generator.below(20), scalars.count))
      case 3: scalars.removeSubrange(place...)
      default:
        let end = min(place + generator.below(30), scalars.count)
        let part = Array(scalars[place..<end])
        scalars.insert(contentsOf: part, at: generator.below(scalars.count + 1))
      }
    }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  @Test("thousands of mutations are read or told", arguments: [UInt64(1), 2, 3, 4])
  func mutations(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let seeds = [
      try Repository.configuration(),
      "a = 1979-05-27T07:32:00.999-07:00\nb = [1, 2.5, {c.d = 'x'}]\n", "",
      "[a.b]\nc = \"\"\"\nx \\\n  y\"\"\"\n[[d]]\n'e f' = 0x1F\n[d.g]\nh = -inf\n",
    ]
    let rounds = ProcessInfo.processInfo.environment["MUTATION_ROUNDS"].flatMap { Int($0) } ?? 2_500
    var read = 0
    for _ in 0..<rounds {
      let text = Self.mutated(seeds[generator.below(seeds.count)], &generator)
      do {
        _ = try ConfigDocument(text, file: "f.toml").items
        read += 1
      } catch {
        #expect(!error.description.contains("\n"))
      }
    }
    #expect(read > 0 && read < rounds)
  }
}
