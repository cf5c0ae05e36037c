import Testing
import TextLayout

@testable import Screen

/// The screen that asks for a passphrase.
@Suite("The screen of a locked journal")
struct SecretPictureTests {
  private let picture = SecretPicture(
    title: "日記.sqlite is sealed",
    lines: ["A forgotten passphrase cannot be recovered: not by us, and not by anybody else."],
    label: "Passphrase", problem: "That is not the passphrase.")

  @Test(
    "every size shows label and cursor, and nothing outside the screen",
    arguments: [(80, 24), (40, 10), (200, 60), (20, 5), (10, 2), (1, 1)])
  func sizes(columns: Int, lines: Int) throws {
    let frame = picture.frame(of: Size(columns: columns, lines: lines))
    let text = frame.canvas.plainText().split(separator: "\n", omittingEmptySubsequences: false)
    let cursor = try #require(frame.cursor)
    #expect((0..<lines).contains(cursor.row) && (0..<columns).contains(cursor.column))
    guard columns >= 20 else { return }
    #expect(text[cursor.row].contains("Passphrase:"))
    #expect(text.contains { $0.contains("日記.sqlite") })
    if lines >= 10 {
      #expect(text.contains { $0.contains("That is not the passphrase.") })
      #expect(text.contains { $0.contains("Enter  open") })
    }
  }
}
