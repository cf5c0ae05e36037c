import Journal
import JournalFormats
import Screen
import Testing

@testable import daybook

/// Formats are named once for the command line and once for the line after `:`, which knows no formats.
struct FormatCompletionTests {
  private func offered(_ line: String) -> [String] {
    var words = CompletionWords(today: .earliest)
    words.commands = .withArguments
    return Completer(words).completion(of: line, at: line.utf8.count, for: .command).candidates.map(
      \.text)
  }

  @Test("the line after : offers the formats there are")
  func formats() {
    #expect(offered("import --from ") == ImportFormat.allCases.map(\.rawValue))
    #expect(Set(offered("export --format ")) == Set(ExportFormat.writable.map(\.rawValue)))
    #expect(offered("export --format ").count == ExportFormat.writable.count)
  }
}
