import Foundation
import TestSupport
import Testing

/// A reader of foreign data, and what it promises for any bytes.
///
/// `make fuzz` runs it under libFuzzer; ``FuzzTests`` on its corpus and on seeded mutations.
struct FuzzTarget: Sendable, CustomTestStringConvertible {
  /// The name for `make fuzz TARGET=…`, and of the directory of its corpus.
  let name: String
  /// Pieces of the syntax, which mutations insert.
  let tokens: [String]
  /// Inputs that a program makes, in addition to the files of the corpus.
  let samples: @Sendable () throws -> [[UInt8]]
  /// How often the suite runs it, as a share of the usual rounds: 1 for a reader of text.
  let share: Double
  /// Reads an input.
  ///
  /// - Throws: ``Violation`` when a promise is broken; any error that is not handled here is one as
  ///   well.
  let check: @Sendable ([UInt8]) throws -> Void

  init(
    _ name: String, tokens: [String] = [], share: Double = 1,
    samples: @autoclosure @escaping @Sendable () throws -> [[UInt8]] = [],
    check: @escaping @Sendable ([UInt8]) throws -> Void
  ) {
    self.name = name
    self.tokens = tokens
    self.samples = samples
    self.share = share
    self.check = check
  }

  /// All targets; add one here, and a file in its directory of the corpus.
  static let all: [FuzzTarget] =
    importers + [
      configuration, date, export, fields, files, gitDifferences, json, jsonJournal, keyDecoder,
      keyScript,
      links, lockedEntry, markdown,
      pageScan, pictureHeader, query, salvage, sanitizer, sealedHeader, syncFile, syncManifest,
      syncPath,
      tuiJournalDatabase,
    ]

  var testDescription: String { name }
}

/// A promise that an input broke.
struct Violation: Error, CustomStringConvertible {
  let description: String
}

/// Throws a ``Violation`` unless a promise holds.
func promise(_ holds: Bool, _ broken: @autoclosure () -> String) throws {
  if !holds { throw Violation(description: broken()) }
}

/// Throws a ``Violation`` unless two values are equal.
func promiseEqual<Value: Equatable>(
  _ one: Value, _ other: Value, _ broken: @autoclosure () -> String
) throws {
  try promise(one == other, "\(broken()):\n\(one)\n\(other)")
}

extension FuzzTarget {
  /// The files of its corpus, by name.
  func corpus() throws -> [(name: String, bytes: [UInt8])] {
    guard let all = Bundle.module.url(forResource: "Corpus", withExtension: nil) else {
      throw Violation(description: "the bundle has no corpus")
    }
    let directory = all.appending(path: name)
    return try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted().map {
      ($0, Array(try Data(contentsOf: directory.appending(path: $0))))
    }
  }

  /// The names of all directories of the corpus.
  static func corpusDirectories() throws -> [String] {
    guard let all = Bundle.module.url(forResource: "Corpus", withExtension: nil) else {
      throw Violation(description: "the bundle has no corpus")
    }
    return try FileManager.default.contentsOfDirectory(atPath: all.path).sorted()
  }
}

/// Random changes of an input.
struct Mutator {
  var random: SeededGenerator
  let tokens: [[UInt8]]

  init(_ target: FuzzTarget, seed: UInt64) {
    random = SeededGenerator(seed: seed)
    tokens = target.tokens.map { Array($0.utf8) }
  }

  /// An input with one to six changes.
  mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...random.below(6) { change(&bytes) }
    return bytes
  }

  private mutating func change(_ bytes: inout [UInt8]) {
    let place = random.below(bytes.count + 1)
    let end = min(place + 1 + random.below(40), bytes.count)
    switch random.below(8) {
    case 0 where place < bytes.count: bytes[place] = UInt8(random.below(256))
    case 1 where place < bytes.count: bytes[place] ^= 1 << UInt8(random.below(8))
    case 2: bytes.removeSubrange(place..<end)
    case 3: bytes.insert(contentsOf: bytes[place..<end], at: random.below(bytes.count + 1))
    case 4: bytes.removeSubrange(place...)
    case 5:
      let piece = token()
      bytes.insert(contentsOf: (0...random.below(100)).flatMap { _ in piece }, at: place)
    default: bytes.insert(contentsOf: token(), at: place)
    }
  }

  private mutating func token() -> [UInt8] {
    tokens.randomElement(using: &random) ?? [UInt8(random.below(256))]
  }
}
