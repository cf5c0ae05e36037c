import Foundation
import Testing

/// With little memory, small files, few descriptors, a small stack or little time, a command does its
/// work or says why not; nothing is lost, and the journal is sound.
@Suite(.waiting)
struct ResourceLimitTests {
  /// A limit of the shell's `ulimit`, in its unit.
  struct Limit: CustomTestStringConvertible, Sendable {
    var option: String
    var values: [Int]
    var testDescription: String { "ulimit -\(option)" }
  }

  static let limits = [
    // Blocks of 512 or 1,024 bytes.
    Limit(option: "f", values: [0, 1, 2, 4, 8, 16, 32, 64, 128]),
    Limit(option: "n", values: [3, 4, 5, 6, 8, 10, 12, 16]),
    // Kilobytes.
    Limit(option: "v", values: Array(stride(from: 60_000, through: 400_000, by: 34_000))),
    Limit(option: "s", values: [32, 64, 128, 256, 1_024]),
    Limit(option: "t", values: [0, 1]),
  ]

  @Test("every limit: done or not done, and a text from standard input is kept", arguments: limits)
  func limited(limit: Limit) throws {
    for kind in ["sqlite", "json"] {
      let program = try Program()
      let journal = program.home.path + "/j.\(kind)"
      let old = (1...30).map { "entry \($0) " + String(repeating: "words ", count: 50) }
      try StoredJournal.add(old, to: journal)
      var texts = Set(old)
      for (round, value) in limit.values.enumerated() {
        let new = "new \(round) " + String(repeating: "text ", count: 100)
        let result = try program.shell(
          """
          printf '%s' '\(new)' | (ulimit -\(limit.option) \(value); exec \(Program.binary.path) \
            --journal '\(journal)' add -)
          """)
        let note = "\(kind), ulimit -\(limit.option) \(value): \(result.code), \(result.errors)"
        let found = Set(try StoredJournal.texts(journal))
        let text = new.trimmingCharacters(in: .whitespaces)
        let isThere = found.contains(text) || found.contains(new)
        #expect(found.isSuperset(of: texts), "\(note)")
        #expect(try StoredJournal.open(journal).check() == [], "\(note)")
        if result.code == 0 { #expect(isThere, "\(note)") }
        // No disk is at fault.
        if limit.option == "f" { #expect(!result.errors.contains("check the disk"), "\(note)") }
        // A limit that is too low is told before anything is read; who dies for want of memory or time
        // cannot keep anything.
        let isRefused =
          result.errors.contains("nothing was done") || result.errors.contains("shared librar")
        // Where no file may have a byte, there is no place for a draft.
        let isHopeless = limit.option == "f" && value == 0
        if result.code > 0, result.code < 128, !isThere, !isRefused, !isHopeless {
          #expect(try program.drafts().contains { $0.contains("new \(round) ") }, "\(note)")
        }
        texts = found
      }
    }
  }
}
