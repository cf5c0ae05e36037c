import Foundation
import TestSupport
import Testing

/// Files in the folders of other programs, which the notes in them name.
@Suite(.waiting)
struct FolderFileTests {
  private let program: Program

  init() throws { program = try Program() }

  @Test("Obsidian's, Joplin's and plain links to files of the folder become attached files")
  func links() throws {
    let result = try program.shell(
      """
      cd $HOME; mkdir -p n/assets n/_resources n/sub 'n/a b'
      for i in 1 2 3 4 5 6 7; do printf "picture $i" > n/assets/p$i.png; done
      printf sound > n/_resources/s.mp3; printf paper > 'n/a b/the paper.pdf'
      printf 'One\\n\\n![Sea](assets/p1.png "title") ![[p2.png]] ![[p3.png|300]] ![[p4.png|Harbour]]' > n/2024-01-05.md
      printf 'Two ![](../assets/p5.png) [s](../_resources/s.mp3) [the](<../a b/the paper.pdf>)' > n/sub/2024-01-06.md
      printf 'Three [](../a%%20b/the%%20paper.pdf) <img src="../assets/p6.png" alt="six">' > n/sub/2024-01-07.md
      printf 'Four [other](2024-01-05.md) [[2024-01-05]] `![](assets/p7.png)` ![](https://x.org/a.png)' > n/2024-01-08.md
      daybook import n; daybook import n; for i in 1 2 3 4; do daybook show $i; done
      for i in 1 2 3 4; do daybook file 1 $i; echo; done; daybook file 4 1
      """)
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.first == "added 4 with 8 files, skipped 0, failed 0", "\(result.errors)")
    #expect(lines.dropFirst().first == "added 0, skipped 4, failed 0")
    let text = result.output
      .replacing(#/file:[0-9a-f]{16}/#) { _ in "file:H" }
    #expect(
      text.contains(
        "![Sea](file:H.png \"title\") ![p2](file:H.png) ![p3](file:H.png) ![Harbour](file:H.png)"),
      "\(text)")
    #expect(text.contains("Two ![](file:H.png) [s](file:H.mp3) [the](file:H.pdf)"))
    #expect(text.contains("Three [](file:H.pdf) ![six](file:H.png)"))
    #expect(
      text.contains(
        "Four [other](2024-01-05.md) [[2024-01-05]] `![](assets/p7.png)` ![](https://x.org/a.png)"))
    #expect(lines.suffix(5) == ["picture 1", "picture 2", "picture 3", "picture 4", "paper"])
    #expect(result.errors.contains("left out: 1 \".png\" file"))
  }

  @Test("the escapes of an address have capital or small digits")
  func smallDigits() throws {
    let result = try program.shell(
      """
      cd $HOME; mkdir n; printf sea > n/bildä.jpg; printf land > n/bildö.jpg
      printf 'One ![](bild%%c3%%a4.jpg) ![](bild%%C3%%B6.jpg)' > n/2024-01-05.md
      daybook import n; daybook file 1 1; daybook file 1 2
      """)
    #expect(
      result.output == "added 1 with 2 files, skipped 0, failed 0\nsealand", "\(result.errors)")
  }

  @Test("a picture without an ending comes once, and a link with a whole name is no doubled one")
  func names() throws {
    let result = try program.shell(
      """
      cd $HOME; mkdir n out; printf '\\211PNG\\r\\n\\032\\n' > n/pic; printf '%%PDF-1.7' > n/c.pdf
      printf 'a ![](pic) [Contract.PDF](c.pdf)' > n/2024-01-05.md
      daybook import n; daybook import n; daybook file 1 2 -o out; ls out
      """)
    #expect(
      result.output
        == "added 1 with 2 files, skipped 0, failed 0\nadded 0, skipped 1, failed 0\nContract.PDF\n",
      "\(result.errors)")
  }

  @Test("nothing outside of the folder comes in: by .., by an absolute path, by a symbolic link")
  func outside() throws {
    let result = try program.shell(
      """
      cd $HOME; mkdir -p n/in; printf secret > secret.png; printf fine > n/in/fine.png
      ln -s ../secret.png n/link.png; ln -s .. n/up; ln -s in/fine.png n/inner.png
      printf 'x ![](../secret.png) ![](%s/secret.png) ![](link.png) ![](file:///etc/a.png) ![](inner.png)' $HOME > n/2024-01-05.md
      daybook import n; daybook show 1; daybook files | wc -l; daybook file 1
      """)
    #expect(
      result.output.hasPrefix("added 1 with 1 file, skipped 0, failed 0\n"), "\(result.errors)")
    #expect(result.output.contains("![](../secret.png)"))
    #expect(result.output.contains("![](link.png)"))
    #expect(result.output.hasSuffix("1\nfine"))
    #expect(
      result.errors.contains(
        "file that the text names is not among the imported ones: ../secret.png, "))
  }

  @Test("a note that is imported alone says that its picture was not looked for")
  func alone() throws {
    let result = try program.shell(
      """
      cd $HOME; mkdir n; printf 'picture' > n/p.png; printf '# Trip ![m](p.png) [x](y.md)' > n/2024-03-03.md
      daybook import --dry-run n/2024-03-03.md; daybook import n/2024-03-03.md
      """)
    let remark =
      "file that the text names was not looked for: import the directory: p.png (in 1 entry)"
    #expect(result.errors.components(separatedBy: remark).count == 3, "\(result.errors)")
  }

  @Test(
    "the pictures in a note of Evernote come along", arguments: ["a.enex", "n", "n.zip"])
  func evernote(source: String) throws {
    let result = try program.shell(
      """
      cd $HOME; mkdir n; printf other > n/sea.png
      python3 - <<'END'
      import base64, hashlib, os, zipfile
      note = "<note><title>%s</title><created>20240105T081500Z</created><content><![CDATA[<en-note>"
      note += "<en-media type='image/png' hash='%s'/></en-note>]]></content><resource><data>%s</data>"
      note += "<mime>image/png</mime><resource-attributes><file-name>sea.png</file-name>"
      note += "</resource-attributes></resource></note>"
      pictures = [b"picture %d" % i + bytes(1_700_000) for i in range(5)]
      text = "".join(note % (i, hashlib.md5(p).hexdigest(), base64.encodebytes(p).decode())
                     for i, p in enumerate(pictures))
      for path in ["a.enex", "n/a.enex"]: open(path, "w").write("<en-export>%s</en-export>" % text)
      zipfile.ZipFile("n.zip", "w").write("n/a.enex")
      END
      daybook import --dry-run \(source); daybook import \(source); daybook import \(source)
      for i in 1 2 3 4 5; do daybook file $i 1 | head -c 9; echo; done; daybook undo; daybook list
      """)
    #expect(
      result.output.split(separator: "\n").map(String.init).filter { !$0.contains("2024") } == [
        "would add 5 with 5 files, skip 0, fail 0; a dry run, nothing was written",
        "added 5 with 5 files, skipped 0, failed 0", "added 0, skipped 5, failed 0",
        "picture 0", "picture 1", "picture 2", "picture 3", "picture 4",
        "undid the import of 5 entries",
      ], "\(result.errors)")
    #expect(!result.errors.contains("link"))
  }

  @Test("an export with files says so before, as it does then")
  func before() throws {
    let result = try program.shell(
      """
      cd $HOME; mkdir -p Takeout/Keep; printf picture > Takeout/Keep/a.png
      printf '{"color":"DEFAULT","isTrashed":false,"isPinned":false,"isArchived":false,"textContent":"x","title":"","userEditedTimestampUsec":1704474000000000,"createdTimestampUsec":1704474000000000,"attachments":[{"filePath":"a.png","mimetype":"image/png"}]}' > Takeout/Keep/a.json
      daybook import --dry-run Takeout; daybook import Takeout; daybook import --dry-run Takeout/Keep/a.json
      """)
    #expect(result.output.contains("would add 1 with 1 file"))
    #expect(result.output.contains("added 1 with 1 file"))
    #expect(!result.errors.contains("attached file is a link"), "\(result.errors)")
  }

  @Test(
    "a file that was missing comes with the next import that has it",
    arguments: ["j.json", "md", "j.sqlite"])
  func later(source: String) throws {
    let result = try program.shell(
      """
      cd $HOME; printf 'picture' > p.png; daybook add --attach p.png Sea
      daybook export -o a.json; daybook export -o j.json --files f; daybook export -o md/
      cp .local/share/daybook/journal.sqlite j.sqlite
      daybook import a.json --journal new.sqlite; daybook files --journal new.sqlite
      daybook import \(source) \(source == "j.json" ? "--files f" : "") --journal new.sqlite
      daybook file 1 --journal new.sqlite
      daybook import \(source) \(source == "j.json" ? "--files f" : "") --journal new.sqlite
      """)
    #expect(
      result.output.hasSuffix(
        "added 0 with 1 file, skipped 1, failed 0\npictureadded 0, skipped 1, failed 0\n"),
      "\(result.output) \(result.errors)")
  }
}
