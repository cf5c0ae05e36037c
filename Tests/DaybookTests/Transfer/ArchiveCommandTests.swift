import Foundation
import Testing

/// Archives, and fields of other programs, from the command line.
struct ArchiveCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  @Test("a tar of notes, also from a pipe of any size, is read as their directory is")
  func notes() throws {
    let result = try program.shell(
      """
      cd $HOME; mkdir -p notes/sub
      printf one > notes/2024-01-05.md; printf two > notes/sub/2024-01-06.md
      head -c 9000000 /dev/urandom > notes/photo.jpg; : > notes/old.zip
      tar czf notes.tgz notes; tar cf notes.tar notes
      daybook import --dry-run notes.tgz 2>/dev/null | head -1
      daybook import notes.tgz; daybook import - < notes.tar
      cat notes.tar | daybook import -; cat notes.tgz | daybook import - ; daybook import notes
      daybook list --format jsonl | wc -l
      """)
    #expect(
      result.output == """
        would add 2, skip 0, fail 0; a dry run, nothing was written
        added 2, skipped 0, failed 0
        added 0, skipped 2, failed 0
        added 0, skipped 2, failed 0
        added 0, skipped 2, failed 0
        added 0, skipped 2, failed 0
        2

        """)
    // In the order of the archive, or of the names.
    let left = result.errors.matches(of: /left out: 1 "\.(jpg|zip)" file, 1 "\.(jpg|zip)" file\n/)
    #expect(left.count == 5, "\(result.errors)")
  }

  @Test("an archive that is none, or has nothing that is read, is said to be so")
  func unread() throws {
    let result = try program.shell(
      """
      cd $HOME; printf 'Dear diary' > diary.txt; gzip -k diary.txt; mkdir d; : > d/photo.jpg
      tar cf photos.tar d; head -c 700 photos.tar > cut.tar; printf 'PK\\3\\4rubbish' > bad.zip
      mkdir e; tar cf empty.tar e
      for f in diary.txt.gz photos.tar bad.zip empty.tar; do daybook import $f; echo $?; done
      """)
    #expect(result.output == "65\n65\n65\n65\n")
    let lines = result.errors.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[0].hasPrefix("daybook: diary.txt.gz: unknown format; name the format"))
    #expect(
      lines[1].hasPrefix(
        "daybook: photos.tar: an archive without entries that are read (d/photo.jpg)"))
    #expect(lines[2].hasPrefix("daybook: bad.zip: is no zip or tar that can be read: "))
    #expect(lines[3].hasPrefix("daybook: empty.tar: is an archive without files"))
  }

  @Test("one compressed text is read as the text, and one in an archive is named")
  func oneText() throws {
    let result = try program.shell(
      """
      cd $HOME; printf '[2024-01-05 10:00] one\\n' > a.txt; printf two > 2024-01-06.md
      gzip a.txt 2024-01-06.md; daybook import a.txt.gz 2024-01-06.md.gz; cat a.txt.gz | daybook import -
      tar czf b.tar.gz a.txt.gz; gzip -c b.tar.gz > c.gz; daybook import c.gz; echo $?
      """)
    #expect(
      result.output == "added 2, skipped 0, failed 0\nadded 0, skipped 1, failed 0\n65\n",
      "\(result)")
    #expect(result.errors.contains("c.gz: holds a.txt.gz, which is read by itself"))
  }

  @Test("a zip that is alone in another one is read, and nothing in a third one")
  func zipInZip() throws {
    let result = try program.shell(
      """
      cd $HOME; python3 - <<'END'
      import io, zipfile
      def zipped(files):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as z:
          for name, data in files: z.writestr(name, data)
        return out.getvalue()
      inner = zipped([("n/2024-01-05.md", "one ![](sea.png)"), ("n/sea.png", "picture")])
      open("a.zip", "wb").write(zipped([("Part-1.zip", inner)]))
      open("b.zip", "wb").write(zipped([("a.zip", zipped([("Part-1.zip", inner)]))]))
      open("c.zip", "wb").write(zipped([("Part-1.zip", inner), ("Part-2.zip", inner)]))
      open("d.zip", "wb").write(zipped([("Part-1.zip", b"PK\\3\\4rubbish")]))
      END
      daybook import a.zip; cat a.zip | daybook import -; daybook file 1 1; echo
      for f in b c d; do daybook import $f.zip; echo $?; done
      """)
    #expect(
      result.output
        == "added 1 with 1 file, skipped 0, failed 0\nadded 0, skipped 1, failed 0\npicture\n65\n65\n65\n",
      "\(result)")
    let lines = result.errors.split(separator: "\n").suffix(3)
    #expect(lines.first?.contains("b.zip: holds Part-1.zip, which is read by itself") == true)
    #expect(lines.dropFirst().first?.contains("c.zip: holds Part-1.zip, which is read") == true)
    #expect(lines.last?.hasPrefix("daybook: d.zip: Part-1.zip: ") == true, "\(lines)")
  }

  @Test("a format that nothing in a file is of fails, and says what the file looks like")
  func wrongFormat() throws {
    let result = try program.shell(
      """
      cd $HOME; printf '[2024-01-05 10:00] one\\n' > a.txt; mkdir d; printf two > d/2024-01-06.md
      daybook import --from evernote a.txt; echo $?; daybook import --from keep d; echo $?
      printf '' > empty.txt; daybook import --from jrnl-text empty.txt; echo $?
      """)
    #expect(
      result.output == """
        added 0, skipped 0, failed 1
        65
        added 0, skipped 0, failed 1
        65
        added 0, skipped 0, failed 0
        0

        """, "\(result)")
    #expect(result.errors.contains("d: has nothing of keep; it looks like markdown"))
  }

  @Test("an own zip for Day One comes back through a pipe, and adds nothing")
  func ownZip() throws {
    let result = try program.shell(
      """
      daybook add one >/dev/null; daybook add 'two #tag' >/dev/null
      daybook export -o $HOME/a.zip; daybook import $HOME/a.zip; cat $HOME/a.zip | daybook import -
      daybook --journal $HOME/b.sqlite import $HOME/a.zip
      """)
    #expect(
      result.output == """
        added 0, skipped 2, failed 0
        added 0, skipped 2, failed 0
        added 2, skipped 0, failed 0

        """)
  }

  @Test("fields become lines that --drop-fields leaves out, with one identity in both ways")
  func fields() throws {
    let entry = """
      {"entries":[{"creationDate":"2024-01-05T10:00:00Z","text":"Walked","tags":["walk"],
      "location":{"placeName":"Lake"},"weather":{"conditionsDescription":"Sunny"}}]}
      """
    let path = program.home.appending(path: "Journal.json").path
    try Data(entry.utf8).write(to: URL(filePath: path))
    let first = try program.run(["import", path])
    #expect(first.output == "added 1, skipped 0, failed 0\n")
    #expect(first.errors == "daybook: \(path): made: 1 place, 1 weather fields\n")
    #expect(
      try program.run(["show", "1"]).output.contains(
        "Walked\n\nplace:: Lake\nweather:: Sunny\n\n#walk"))
    let again = try program.run(["import", "--drop-fields", path])
    #expect(again.output == "added 0, skipped 1, failed 0\n")
    let other = program.home.appending(path: "other.sqlite").path
    let dropped = try program.run(["--journal", other, "import", "--drop-fields", path])
    #expect(dropped.errors == "daybook: \(path): not kept: 1 \"place\", 1 \"weather\" fields\n")
    #expect(
      try program.run(["--journal", other, "show", "1"]).output.contains("Walked #walk"))
    #expect(
      try program.run(["--journal", other, "import", path]).output
        == "added 0, updated 1, skipped 0, failed 0\n")
  }
}
