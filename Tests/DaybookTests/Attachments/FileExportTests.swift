import Foundation
import TestSupport
import Testing

/// Files that go out with the entries that name them, and come back byte for byte.
@Suite(.waiting)
struct FileExportTests {
  private let program: Program

  init() throws {
    program = try Program()
    let picture =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + "IHDR".utf8
      + [0, 0, 0x0F, 0xC0, 0, 0, 0x0B, 0xD0]
      + (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
    try write(Data(picture), "Harbour at six.png")
    try write(Data("\u{FEFF}%PDF-1.7".utf8), "contract.pdf")
    try write(Data("# 2020-01-01\n\nNo note, a file.\n".utf8), "notes.md")
    try write(Data((0..<5000).map { UInt8(truncatingIfNeeded: $0) }), "talk.m4a")
    try write(Data("moving".utf8), "film.mov")
    let made = try program.shell(
      """
      cd $HOME; export DAYBOOK_JOURNAL=$HOME/a.sqlite
      daybook add --date 2026-11-20 --attach 'Harbour at six.png' --attach contract.pdf 'One #sea'
      daybook add --date 2026-11-21 --attach contract.pdf two
      daybook add --date 2026-11-21 --attach talk.m4a --attach film.mov three
      daybook add --date 2026-11-22 --attach notes.md 'four, `file:3f2a9c1b7d5e6f70.jpg` in code'
      \(Self.keeping)
      """)
    try #require(made.code == 0, "\(made.errors)")
  }

  private func write(_ data: Data, _ name: String) throws {
    try data.write(to: program.home.appending(path: name))
  }

  /// Keeps what the entries have, and their texts alone: a file that is missing is said there.
  private static let keeping = """
    daybook list --format jsonl --sort title | sed 's/"number":[0-9]*,//' | tee texts |
      python3 -c 'import json,sys; [print(repr(json.loads(l)["text"])) for l in sys.stdin]' > words
    """

  private static let comparison = """
    for f in 'Harbour at six.png' contract.pdf talk.m4a film.mov notes.md; do
      daybook --journal b.sqlite file $(sha256sum "$f" | cut -c 1-16) 2>/dev/null | cmp -s - "$f" && echo $f
    done
    daybook --journal b.sqlite list --format jsonl --sort title | sed 's/"number":[0-9]*,//' > found
    cmp -s found texts && echo texts
    python3 -c 'import json,sys; [print(repr(json.loads(l)["text"])) for l in sys.stdin]' < found | cmp -s - words && echo words
    daybook --journal b.sqlite doctor | tail -1
    """

  @Test(
    "a Markdown directory has the files beside, and comes back whole", arguments: ["md/", "x.zip"])
  func roundTrip(target: String) throws {
    let isZip = target.hasSuffix(".zip")
    let result = try program.shell(
      """
      cd $HOME; daybook --journal a.sqlite export -o \(target); echo $?
      daybook --journal b.sqlite import --dry-run \(target) | head -1
      daybook --journal b.sqlite import \(target); daybook --journal b.sqlite import \(target)
      \(Self.comparison)
      """)
    let count = isZip ? 4 : 5
    let expected = [
      "0", "would add 4 with \(count) files, skip 0, fail 0; a dry run, nothing was written",
      "added 4 with \(count) files, skipped 0, failed 0", "added 0, skipped 4, failed 0",
      "Harbour at six.png", "contract.pdf", "talk.m4a", "film.mov", isZip ? nil : "notes.md",
      isZip ? nil : "texts", "words", "sound: 4 entries",
    ].compactMap(\.self)
    #expect(
      result.output.split(separator: "\n").map(String.init) == expected, "\(result.errors)")
    if isZip {
      #expect(
        result.errors.contains(
          "files that are no photos, videos, recordings or PDFs of 1 entry (notes.md)"))
      #expect(result.errors.contains("1 file is not in the export"))
    } else {
      #expect(result.errors == "")
    }
  }

  @Test("the files of Day One are named by MD5, as Day One names them")
  func names() throws {
    let result = try program.shell(
      """
      cd $HOME; daybook --journal a.sqlite export -o x.zip 2>/dev/null
      mkdir x; cd x; python3 -m zipfile -e ../x.zip .
      for f in photos/*.png pdfs/*.pdf audios/*.m4a videos/*.mov; do
        test "$(md5sum < $f | cut -c 1-32)" = "$(basename $f | cut -c 1-32)" && echo ${f%/*}
      done
      cmp photos/*.png '../Harbour at six.png' && echo same
      python3 - <<'END'
      import json
      for entry in json.load(open('Journal.json'))['entries']:
        files = [f for m in ('photos','videos','audios','pdfAttachments') for f in entry.get(m, [])]
        print(len(files), all(f['identifier'] in entry['text'] for f in files))
      END
      cd ..; daybook --journal b.sqlite import x
      \(Self.comparison)
      """)
    #expect(
      result.output == """
        photos
        pdfs
        audios
        videos
        same
        2 True
        1 True
        2 True
        0 True
        added 4 with 4 files, skipped 0, failed 0
        Harbour at six.png
        contract.pdf
        talk.m4a
        film.mov
        words
        sound: 4 entries

        """, "\(result.errors)")
  }

  /// Texts with links that formats stumble over; H and P are the places of the hashes' digits.
  private static let labels = [
    ##"[inv_2026\_11](file:H.pdf) and [a\#b](file:H.pdf), [9\:30](file:H.pdf)"##,
    "[a [b] c](file:P.png) ![](<file:P.png>) [no suffix](file:H)",
    #"[![small](file:P.png)](file:H.pdf) ![x\\](file:P.png)\\"#,
    #"two  spaces ![same](file:P.png "a title") *![i](file:P.png)* \\o/ #tag"#,
    "`file:H.pdf`\r\n\r\n![dos](file:P.png)\u{2028}end\n\n#sea #tag",
  ]

  @Test(
    "the words of every link come back as they were, from all that carries files",
    arguments: ["x.zip", "md/", "vault"])
  func labels(target: String) throws {
    let hashes = try program.shell(
      "cd $HOME; sha256sum contract.pdf 'Harbour at six.png' | cut -c 1-16"
    ).output.split(separator: "\n").map(String.init)
    for (index, label) in Self.labels.enumerated() {
      let text = label.replacing("file:H", with: "file:\(hashes[0])")
        .replacing("file:P", with: "file:\(hashes[1])")
      try write(Data(text.utf8), "text\(index)")
    }
    let result = try program.shell(
      """
      cd $HOME; export DAYBOOK_JOURNAL=$HOME/a.sqlite
      for i in 0 1 2 3 4; do daybook add --date 2026-10-1$i - < text$i > added; done
      \(Self.keeping)
      daybook export \(target == "vault" ? "--format obsidian" : "") -o \(target); echo $?
      daybook --journal b.sqlite import \(target)
      \(Self.comparison)
      """)
    let isZip = target == "x.zip"
    let expected = [
      "0", "added 9 with \(isZip ? 4 : 5) files, skipped 0, failed 0", "Harbour at six.png",
      "contract.pdf", "talk.m4a", "film.mov", isZip ? nil : "notes.md",
      isZip ? nil : "texts", "words", "sound: 9 entries",
    ].compactMap(\.self)
    #expect(
      result.output.split(separator: "\n").map(String.init) == expected, "\(result.errors)")
  }

  @Test("a Day One text that somebody edits counts, and not what Daybook wrote beside it")
  func edited() throws {
    let result = try program.shell(
      """
      cd $HOME; daybook --journal a.sqlite export -o x.zip 2>/dev/null; mkdir x; cd x
      python3 -m zipfile -e ../x.zip .; sed -i 's/"text": "One/"text": "Edited One/' Journal.json; cd ..
      daybook --journal b.sqlite import x; daybook --journal b.sqlite show 1 | sed 's/file:[0-9a-f]*/file:/'
      """)
    #expect(
      result.output.contains("\nEdited One #sea\n\n![Harbour at six](file:.png)\n"), "\(result)")
  }

  @Test("a zip that lacks a file, or has a broken one, gives all else and says so")
  func broken() throws {
    let result = try program.shell(
      """
      cd $HOME; daybook --journal a.sqlite export -o x.zip 2>/dev/null
      python3 - <<'END'
      import zipfile
      old, new = zipfile.ZipFile('x.zip'), zipfile.ZipFile('y.zip', 'w')
      for name in old.namelist():
        if not name.startswith('audios'): new.writestr(name, old.read(name))
      new.writestr('../../evil.png', b'evil'); new.close()
      bytes = bytearray(open('y.zip', 'rb').read())
      place = bytes.find(b'moving'); bytes[place] = 0x4D
      open('y.zip', 'wb').write(bytes)
      END
      daybook --journal b.sqlite import --strict y.zip; echo $?
      daybook --journal b.sqlite import y.zip; echo $?
      daybook --journal b.sqlite file 1 1 | cmp - 'Harbour at six.png' && echo picture
      daybook --journal b.sqlite show 3 | grep -c '](file:'; daybook --journal b.sqlite doctor | tail -1
      daybook --journal b.sqlite import x.zip 2>/dev/null
      \(Self.comparison)
      """)
    #expect(
      result.output == """
        65
        added 4 with 2 files, skipped 0, failed 1
        65
        picture
        2
        sound: 4 entries
        added 0 with 2 files, skipped 4, failed 0
        Harbour at six.png
        contract.pdf
        talk.m4a
        film.mov
        words
        sound: 4 entries

        """, "\(result.errors)")
    #expect(result.errors.contains("skipped (use --strict to stop)"))
    #expect(result.errors.contains("file that the text names is not in this journal: "))
    #expect(result.errors.contains("(in 2 entries)"))
    #expect(result.errors.contains("1 file whose name leads out of the archive"))
  }

  @Test("a vault has the files, and a second export changes nothing")
  func vault() throws {
    let result = try program.shell(
      """
      cd $HOME; daybook --journal a.sqlite export --format obsidian -o v; find v | sort > one
      find v -newer texts -type f | wc -l; touch mark; sleep 0.1
      daybook --journal a.sqlite export --format obsidian -o v; find v | sort | cmp - one
      find v -newer mark -type f | wc -l
      daybook --journal b.sqlite import v
      \(Self.comparison)
      """)
    #expect(
      result.output == """
        9
        0
        added 4 with 5 files, skipped 0, failed 0
        Harbour at six.png
        contract.pdf
        talk.m4a
        film.mov
        notes.md
        texts
        words
        sound: 4 entries

        """, "\(result.errors)")
  }

  @Test("a damaged file is named, the others are exported and copied, and the exit code tells")
  func damaged() throws {
    let result = try program.shell(
      """
      cd $HOME; sqlite3 a.sqlite "UPDATE file_piece SET bytes = zeroblob(9) WHERE length(bytes) < 20"
      daybook --journal a.sqlite export -o md/; echo $?; ls md/files | wc -l
      daybook --journal a.sqlite export -o x.zip; echo $?; python3 -m zipfile -l x.zip | wc -l
      mkdir b; daybook --journal a.sqlite backup b/copy.sqlite >/dev/null; echo $?
      daybook --journal b/copy.sqlite list --format jsonl | wc -l
      sha256sum < b/copy.sqlite > sum; daybook --journal a.sqlite backup --force b/copy.sqlite; echo $?
      sha256sum < b/copy.sqlite | cmp - sum && ls b
      """)
    #expect(result.output == "65\n3\n65\n4\n65\n4\n78\ncopy.sqlite\n", "\(result.errors)")
    #expect(result.errors.contains("damaged: the file contract.pdf"))
    #expect(result.errors.contains("2 files are damaged, and not in the export\n"))
    #expect(result.errors.contains("daybook: 1 file is not in the export"), "\(result.errors)")
    #expect(result.errors.contains("damaged in it, as in the journal, is the file"))
  }

  @Test("with --files any format brings its files back", arguments: ["json", "csv", "jsonl"])
  func beside(format: String) throws {
    let result = try program.shell(
      """
      cd $HOME; daybook --journal a.sqlite export -o x.\(format) --files d; echo $?; ls d | wc -l
      daybook --journal b.sqlite import x.\(format) --files d
      daybook --journal b.sqlite import x.\(format) --files d
      \(Self.comparison)
      printf x >> d/$(sha256sum contract.pdf | cut -c 1-16).pdf
      daybook --journal c.sqlite import x.\(format) --files d; echo $?
      daybook --journal a.sqlite export -o y/ --files d; echo $?
      """)
    #expect(
      result.output == """
        0
        5
        added 4 with 5 files, skipped 0, failed 0
        added 0, skipped 4, failed 0
        Harbour at six.png
        contract.pdf
        talk.m4a
        film.mov
        notes.md
        texts
        words
        sound: 4 entries
        added 4 with 4 files, skipped 0, failed 1
        65
        64

        """, "\(result.errors)")
    #expect(result.errors.contains("is not the file that its name says: its bytes were changed"))
    #expect(result.errors.contains("markdown has the files itself; leave out --files"))
  }

  @Test("a page shows the picture in a link to an address, inside of that link")
  func linkedPicture() throws {
    let result = try program.shell(
      """
      cd $HOME; export DAYBOOK_JOURNAL=$HOME/a.sqlite
      daybook add "[![small](file:$(sha256sum 'Harbour at six.png' | cut -c 1-16).png) more](https://x.org) end" > added
      daybook export small --format html | grep -o '<a [^>]*href="https://x.org".*</a>' | sed 's/base64,[^"]*/base64,/'
      """)
    #expect(
      result.output.hasPrefix("<a "), "\(result.output) \(result.errors)")
    #expect(result.output.contains("<img "))
    #expect(result.output.hasSuffix("> more</a>\n"), "\(result.output)")
    #expect(!result.output.contains("small]"))
  }

  @Test("a page shows the pictures and has the other files, byte for byte")
  func page() throws {
    let result = try program.shell(
      """
      cd $HOME; daybook --journal a.sqlite export -o x.html; echo $?
      daybook --journal a.sqlite export --format html | cmp - x.html && echo same
      python3 - <<'END'
      import base64, re
      page = open('x.html').read()
      for element in re.findall('<(?:img|a) [^>]*data:[^>]*>', page):
        name = re.search('(?:alt|download)="([^"]*)"', element)[1]
        bytes = base64.b64decode(re.search('base64,([^"]*)"', element)[1])
        file = name + '.png' if element.startswith('<img') else name
        print(file, bytes == open(file, 'rb').read())
      print(page.count('](file:'), page.count('file:'))
      END
      """)
    #expect(
      result.output == """
        0
        same
        Harbour at six.png True
        contract.pdf True
        contract.pdf True
        talk.m4a True
        film.mov True
        notes.md True
        0 1

        """, "\(result.errors)")
    #expect(result.errors == "")
  }
}
