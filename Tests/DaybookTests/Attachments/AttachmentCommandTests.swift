import Foundation
import TestSupport
import Testing

/// The commands about files: `add --attach`, `attach`, `file` and `files`, and what others say of files.
@Suite(.waiting)
struct AttachmentCommandTests {
  private let program: Program
  private let picture: [UInt8]

  init() throws {
    program = try Program()
    // The header of a PNG of 4032 × 3024, and anything after it.
    picture =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + "IHDR".utf8
      + [0, 0, 0x0F, 0xC0, 0, 0, 0x0B, 0xD0]
      + (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
    try Data(picture).write(to: home("Harbour at six.png"))
    try Data("%PDF-1.7".utf8).write(to: home("contract.pdf"))
  }

  private func home(_ name: String) -> URL { program.home.appending(path: name) }

  private func daybook(_ words: String...) throws -> Program.Result { try program.run(words) }

  private func json(_ line: some StringProtocol) throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
    return try #require(value as? [String: Any])
  }

  @Test("a file that is attached goes out byte for byte, to a pipe, a file or a directory")
  func roundTrip() throws {
    #expect(try daybook("add", "At the harbour").code == 0)
    let attached = try daybook("attach", "1", home("Harbour at six.png").path)
    #expect(attached.output.hasPrefix("1\t"))
    #expect(attached.errors == "")
    let result = try program.shell(
      """
      cd $HOME; daybook file 1 > out.png; cmp out.png 'Harbour at six.png' && echo same
      mkdir d; daybook file 1 -o d; ls d; cmp 'd/Harbour at six.png' out.png && echo same
      daybook file 1 -o out.png; echo $?; daybook file 1 -o out.png --force; echo $?
      hash=$(daybook files | cut -c 1-16); daybook file $hash | cmp - out.png && echo same
      script -qec "$DAYBOOK file 1" /dev/null </dev/null | tr -d '\\r'
      rm 'Harbour at six.png'; daybook undo >/dev/null; daybook show 1 | tail -1; daybook redo >/dev/null
      daybook file 1 | cmp - out.png && echo same
      """.replacing("$DAYBOOK", with: Program.binary.path))
    #expect(
      result.output == """
        same
        Harbour at six.png
        same
        73
        0
        same
        daybook: Harbour at six.png is not printed here; write it with daybook file 1 -o Harbour at six.png
        At the harbour
        same

        """)
    #expect(result.errors == "daybook: out.png: exists; --force replaces it\n")
  }

  @Test("add takes files with a text, without one, and from a pipe")
  func added() throws {
    let pdf = home("contract.pdf").path
    #expect(try daybook("add", "--attach", pdf, "--attach", pdf, "Signed", "#work").code == 0)
    #expect(try daybook("add", "--attach", pdf).code == 0)
    #expect(try daybook("add", "--attach", pdf, "--tag", "home").code == 0)
    let piped = try program.run(["add", "--attach", pdf], input: Array("From a pipe\n".utf8))
    #expect(piped.code == 0)
    let link = "[contract](file:" + (try daybook("files").output.prefix(16)) + ".pdf)"
    let texts = try (1...4).map { number in
      try json(daybook("show", "--format", "json", "\(number)").output)["text"] as? String
    }
    #expect(
      texts == [
        "Signed #work\n\n\(link)\n\n\(link)", link, "#home\n\n\(link)", "From a pipe\n\n\(link)",
      ])
    let failed = try daybook("add", "--attach", home("none").path, "kept text")
    #expect(failed.code == 66)
    #expect(failed.errors.contains("No such file or directory; the text is kept in "))
    let lost = "[none](attach:\(home("none").path))"
    #expect(try program.drafts() == ["kept text\n\n\(lost)"])
    let starred = try daybook(
      "add", "--star", "--date", "2020-05-05", "--attach", home("none").path, "--tag", "a", "more")
    #expect(starred.errors.hasSuffix("entry.md\n"), "\(starred.errors)")
    #expect(try Set(program.drafts()) == ["kept text\n\n\(lost)", "more #a\n\n\(lost)"])
    // The same command does later what it could not, and nothing is left to be finished.
    try Data("a file".utf8).write(to: URL(filePath: home("none").path))
    #expect(try daybook("add", "--attach", home("none").path, "kept text").code == 0)
    #expect(try program.drafts() == ["more #a\n\n\(lost)"])
    let drafts = try program.shell(
      "grep -rah 'created\\|starred' $HOME/.local/state/daybook/drafts")
    #expect(drafts.output.contains("2020-05-05") && drafts.output.contains("starred yes"))
  }

  @Test(
    "a photograph alone gives an entry its time and says so; a text, a date and a wrong clock do not"
  )
  func taken() throws {
    let name = home("IMG 1.jpg").path
    try Data(
      SamplePhotograph.jpeg(
        width: 4_000, height: 3_000, orientation: 6, taken: "2024:02:29 23:15:30", offset: "-05:00")
    ).write(to: URL(filePath: name))
    func created(_ number: Int) throws -> String? {
      try json(daybook("show", "--format", "json", "\(number)").output)["created"] as? String
    }
    let command =
      "\(Program.binary.path) add --attach $HOME/contract.pdf --attach '$HOME/IMG 1.jpg'"
    let added = try program.shell("script -qec \"\(command)\" /dev/null </dev/null | tr -d '\\r'")
    #expect(added.output.contains("entry 1 is dated Thursday 29 February 2024, 23:15"))
    #expect(added.output.contains(", when the picture was taken\n"), "\(added.output)")
    #expect(try created(1) == "2024-02-29T23:15:30-05:00")
    #expect(
      try daybook("list", "on:2024-02-29", "--format", "jsonl").output.contains(#""number":1"#))
    let file =
      try json(daybook("show", "--format", "json", "1").output)["files"] as? [[String: Any]]
    #expect(file?.last?["width"] as? Int == 3_000 && file?.last?["height"] as? Int == 4_000)
    let today = try daybook("add", "--attach", name, "With a text")
    #expect(today.errors == "")
    #expect(try created(2)?.hasPrefix("2024-02-29T23") == false)
    #expect(try daybook("add", "--attach", name, "--date", "2020-01-02 10:00").code == 0)
    #expect(try created(3)?.hasPrefix("2020-01-02T10:00") == true)
    let piped = try program.run(["add", "--attach", name], input: Array("From a pipe\n".utf8))
    #expect(piped.code == 0 && piped.errors == "")
    #expect(try daybook("add", "Old", "--date", "2001-01-01 08:00").code == 0)
    let before = try created(5)
    #expect(try daybook("attach", "5", name).code == 0)
    #expect(try created(5) == before)
    // A clock that is years ahead, and one that was never set.
    for time in ["2226:02:28 23:15:30", "0000:00:00 00:00:00"] {
      try Data(SamplePhotograph.jpeg(width: 40, height: 30, taken: time)).write(
        to: URL(filePath: name))
      #expect(try daybook("add", "--attach", name).errors == "")
    }
    #expect(try daybook("list", "since:2200", "--format", "jsonl").output == "")
  }

  @Test("files and entries in JSON have the same names, sizes and pixels")
  func listed() throws {
    let (png, pdf) = (home("Harbour at six.png").path, home("contract.pdf").path)
    #expect(try daybook("add", "--attach", png, "--attach", pdf, "one").code == 0)
    #expect(try daybook("add", "--attach", pdf, "two").code == 0)
    #expect(try daybook("add", "![gone](file:0123456789abcdef.jpg)").code == 0)
    let lines = try daybook("files").output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0].hasSuffix("1.5 MB  Harbour at six.png  PNG, 4032×3024  in 1"))
    #expect(lines[1].hasSuffix("  8 bytes  contract.pdf  PDF  in 1, 2"))
    #expect(lines[2] == "0123456789abcdef    missing  gone.jpg  in 3")
    let listed = try daybook("files", "one", "--format", "json").output.split(separator: "\n").map(
      json)
    let shown =
      try json(daybook("show", "1", "--format", "json").output)["files"] as? [[String: Any]]
    let entry = try json(daybook("list", "one", "--format", "jsonl").output)
    let files = try #require(entry["files"] as? [[String: Any]])
    for found in [files, listed, shown ?? []] {
      #expect(found.map { $0["name"] as? String } == ["Harbour at six.png", "contract.pdf"])
      #expect(found.map { $0["type"] as? String } == ["image/png", "application/pdf"])
      #expect(found.map { $0["bytes"] as? Int } == [picture.count, 8])
      #expect(found.map { $0["width"] as? Int } == [4_032, nil])
      #expect(found.allSatisfy { ($0["hash"] as? String)?.count == 64 })
    }
    let missing =
      try json(daybook("show", "3", "--format", "json").output)["files"] as? [[String: Any]]
    #expect(missing?.first?["missing"] as? Bool == true)
    #expect(try daybook("add", "plain").code == 0)
    #expect(try json(daybook("show", "4", "--format", "json").output)["files"] == nil)
    let numbers = { (query: String) in
      try self.daybook("list", query, "--format", "jsonl").output.split(separator: "\n")
        .compactMap { try self.json($0)["number"] as? Int }
    }
    #expect(try numbers("has:picture") == [3, 1])
    #expect(try numbers("file:*.pdf") == [2, 1])
    #expect(try numbers("file:>1M") == [1])
    #expect(try daybook("stats").output.contains("Files           2, 1.5 MB"))
    let stats = try json(daybook("stats", "--format", "json").output)["files"] as? [String: Int]
    #expect(stats == ["count": 2, "bytes": picture.count + 8])
    #expect(try daybook("file", "1").code == 64)
    #expect(try daybook("file", "1", "2").output == "%PDF-1.7")
    #expect(try daybook("file", "1", "3").code == 1)
    #expect(try daybook("file", "3").errors == "daybook: gone.jpg is not in this journal\n")
  }

  @Test("an export says how many files it leaves, and a sync how many it sends")
  func left() throws {
    let pdf = home("contract.pdf").path
    #expect(try daybook("add", "--attach", pdf, "one").code == 0)
    #expect(try daybook("add", "--attach", home("Harbour at six.png").path, "two").code == 0)
    for format in ["json", "jsonl", "csv", "markdown", "jrnl", "dayone", "org"] {
      let result = try daybook("export", "--format", format)
      #expect(result.code == 0, "\(format)")
      #expect(
        result.errors.contains(
          "2 files are not in the export; daybook export --files DIRECTORY writes them"),
        "\(format)")
    }
    let one = try daybook("export", "one", "-o", home("one.md").path)
    #expect(one.errors.contains("1 file is not in the export"))
    #expect(
      try daybook(
        "add", "--journal", home("gone.sqlite").path, "![gone](file:0123456789abcdef.jpg)"
      ).code
        == 0)
    let gone = try daybook("export", "--journal", home("gone.sqlite").path)
    #expect(gone.errors == "daybook: 1 file that the texts name is not in this journal\n")
    let synced = try program.run(
      ["sync", "--remote", home("r.git").path],
      extra: ["GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"])
    #expect(
      synced.output == "sent 2, received 0, merged 0, conflicts 0, files 2 sent, 0 received\n",
      "\(synced.errors)")
  }

  @Test("a JSON journal refuses files with the way out, which works")
  func json() throws {
    let script = """
      cd $HOME; export DAYBOOK_JOURNAL=$HOME/j.json; daybook add one >/dev/null
      daybook attach 1 contract.pdf; echo $?; daybook list | tail -1
      daybook import $HOME/j.json --journal $HOME/j.sqlite
      daybook --journal j.sqlite attach 1 contract.pdf | cut -c 1
      """
    let result = try program.shell(script)
    #expect(result.output.hasPrefix("78\n    1  "))
    #expect(result.output.hasSuffix("added 1, skipped 0, failed 0\n1\n"))
    #expect(
      result.errors.contains(
        "a JSON journal keeps no files; make an SQLite journal of it with daybook import"
          + " \(program.home.path)/j.json --journal \(program.home.path)/j.sqlite"))
  }

  @Test("sealing and unsealing carry the files, and a locked journal takes none")
  func sealed() throws {
    let result = try program.shell(
      """
      cd $HOME; printf 'pass phrase of a test\\n' > new
      export DAYBOOK_PASSPHRASE_FD=7 DAYBOOK_NEW_PASSPHRASE_FD=7
      daybook add --attach 'Harbour at six.png' one >/dev/null
      daybook seal --yes 7<new >/dev/null 2>&1; grep -c IHDR .local/share/daybook/*.sqlite
      daybook file 1 7<new | cmp - 'Harbour at six.png' && echo same
      daybook lock >/dev/null 2>&1; unset DAYBOOK_PASSPHRASE_FD
      daybook add --attach contract.pdf two </dev/null; echo $?
      export DAYBOOK_PASSPHRASE_FD=7
      daybook unseal --yes 7<new >/dev/null 2>&1
      daybook file 1 | cmp - 'Harbour at six.png' && echo same; daybook doctor
      """)
    #expect(result.output.hasPrefix("0\nsame\n77\nsame\n"), "\(result.output) \(result.errors)")
    #expect(result.output.contains("sound: 1 entry"))
  }

  @Test("two processes that attach the same file at once store it once")
  func atOnce() throws {
    let result = try program.shell(
      """
      cd $HOME; for i in 1 2 3; do daybook add $i >/dev/null; done
      for i in 1 2 3; do daybook attach $i 'Harbour at six.png' >/dev/null & done; wait
      daybook files | cut -d ' ' -f 2-; daybook doctor
      """)
    #expect(
      result.output.split(separator: "\n").map { $0.drop { $0 == " " } } == [
        "1.5 MB  Harbour at six.png  PNG, 4032×3024  in 1, 2, 3", "sound: 3 entries",
      ])
  }
}
