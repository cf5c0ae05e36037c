import Foundation
import TestSupport
import Testing

/// Files that come in with the entries of another journal of ours.
@Suite(.waiting)
struct JournalFileImportTests {
  private let program: Program

  init() throws {
    program = try Program()
    let picture =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + "IHDR".utf8
      + [0, 0, 0x0F, 0xC0, 0, 0, 0x0B, 0xD0]
      + (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
    try Data(picture).write(to: program.home.appending(path: "Harbour.png"))
    try Data("\u{FEFF}%PDF-1.7".utf8).write(to: program.home.appending(path: "contract.pdf"))
    let made = try program.shell(
      """
      cd $HOME; export DAYBOOK_JOURNAL=$HOME/a.sqlite
      daybook add --attach Harbour.png --attach contract.pdf one
      daybook add --attach contract.pdf two; daybook add three; daybook add --attach Harbour.png gone
      daybook delete 4
      """)
    try #require(made.code == 0, "\(made.errors)")
  }

  @Test("the files come in byte for byte, each once, in one step, and twice adds nothing")
  func whole() throws {
    let result = try program.shell(
      """
      cd $HOME
      daybook import --dry-run a.sqlite | head -1; daybook import a.sqlite; daybook import a.sqlite
      daybook import --dry-run a.sqlite | head -1
      daybook file 1 1 | cmp - Harbour.png && daybook file 2 | cmp - contract.pdf && echo same
      daybook files | wc -l; daybook doctor | tail -1; daybook restore 4 >/dev/null
      daybook file 4 | cmp - Harbour.png && echo same; daybook undo >/dev/null
      daybook undo; daybook redo >/dev/null; daybook file 1 1 | cmp - Harbour.png && echo same
      for n in 1 2; do
        daybook show $n --format json > here; daybook --journal a.sqlite show $n --format json | cmp - here
      done
      """)
    #expect(
      result.output == """
        would add 4 with 2 files, skip 0, fail 0; a dry run, nothing was written
        added 4 with 2 files, skipped 0, failed 0
        added 0, skipped 4, failed 0
        would add 0, skip 4, fail 0; a dry run, nothing was written
        same
        2
        sound: 3 entries
        same
        undid the import of 4 entries
        same

        """, "\(result.errors)")
    #expect(result.errors == "")
  }

  @Test("a file that the journal has already is not copied again")
  func known() throws {
    let result = try program.shell(
      """
      cd $HOME; daybook add --attach Harbour.png mine >/dev/null; daybook import a.sqlite
      daybook files | wc -l; daybook doctor | tail -1; daybook file 2 1 | cmp - Harbour.png && echo same
      """)
    #expect(
      result.output == "added 4 with 2 files, skipped 0, failed 0\n2\nsound: 4 entries\nsame\n")
  }

  @Test("what cannot carry the bytes says so: a JSON journal, and a pipe of JSON")
  func refused() throws {
    let result = try program.shell(
      """
      cd $HOME; daybook --journal j.json import a.sqlite
      daybook --journal a.sqlite export --format jsonl | daybook --journal b.sqlite import -
      daybook --journal b.sqlite import --dry-run a.sqlite | head -1
      """)
    #expect(
      result.output == """
        added 4, skipped 0, failed 0
        added 3, skipped 0, failed 0
        would add 1 with 1 file, skip 3, fail 0; a dry run, nothing was written

        """)
    #expect(
      result.errors.contains(
        "a.sqlite: file is not kept, since a journal in a JSON file has none (3)"))
    #expect(
      result.errors.contains("standard input: file that the text names is not in this journal: "))
  }

  @Test("a damaged file is named, the text comes in, and a strict import adds nothing")
  func damaged() throws {
    let result = try program.shell(
      """
      cd $HOME; sqlite3 a.sqlite "UPDATE file_piece SET bytes = zeroblob(9) WHERE length(bytes) < 20"
      daybook import --strict a.sqlite; echo $?; daybook list | wc -l
      daybook import a.sqlite; echo $?; daybook file 1 1 | cmp - Harbour.png && echo same
      daybook file 2; echo $?; daybook doctor | tail -1
      """)
    #expect(
      result.output
        == "65\n0\nadded 4 with 1 file, skipped 0, failed 1\n65\nsame\n1\nsound: 3 entries\n",
      "\(result.errors)")
    let lines = result.errors.split(separator: "\n")
    #expect(lines.contains { $0.contains("contract.pdf is damaged in that journal") })
  }

  @Test("a sealed journal gives its files, and takes them")
  func sealed() throws {
    let result = try program.shell(
      """
      cd $HOME; printf 'pass phrase of a test\\n' > new
      export DAYBOOK_PASSPHRASE_FD=7 DAYBOOK_NEW_PASSPHRASE_FD=7
      daybook --journal a.sqlite seal --yes 7<new >/dev/null 2>&1; grep -c IHDR a.sqlite
      daybook --journal b.sqlite import a.sqlite 7<new
      daybook --journal b.sqlite file 1 1 | cmp - Harbour.png && echo same
      daybook --journal c.sqlite add x >/dev/null
      daybook --journal c.sqlite seal --yes 7<new >/dev/null 2>&1
      daybook --journal c.sqlite import b.sqlite 7<new; grep -c IHDR c.sqlite
      daybook --journal c.sqlite file 2 1 7<new | cmp - Harbour.png && echo same
      """)
    #expect(
      result.output == """
        0
        added 4 with 2 files, skipped 0, failed 0
        same
        added 4 with 2 files, skipped 0, failed 0
        0
        same

        """, "\(result.errors)")
  }
}
