import Foundation
import Testing

@testable import daybook

/// `export -o book.pdf` through another program; a script takes its place.
@Suite(.waiting)
struct PDFCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
    let tools = program.home.appending(path: "bin")
    try FileManager.default.createDirectory(at: tools, withIntermediateDirectories: true)
    for (text, date) in [
      ("Walk #sea\n\n<script>x</script> ![](http://tracker.invalid/a.png)", "2025-12-31 09:00"),
      ("Bread", "2026-01-02 10:00"),
    ] {
      #expect(try program.run(["add", text, "--date", date]).code == 0)
    }
  }

  private func path(_ name: String) -> String { program.home.appending(path: name).path }

  private func export(_ words: String..., path: String? = nil) throws -> Program.Result {
    try program.run(
      ["export"] + words, extra: ["PATH": path ?? self.path("bin"), "TMPDIR": program.home.path])
  }

  /// The private directories of conversions that are left.
  private func leftovers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: program.home.path).filter {
      $0.hasPrefix("daybook-pdf") || $0.contains(".new-")
    }
  }

  @Test("without a program the error names the packages, and nothing is written")
  func missing() throws {
    let result = try export("-o", path("a.pdf"))
    #expect(result.code == 69)
    for name in ["weasyprint", "chromium", "wkhtmltopdf"] {
      #expect(result.errors.contains(name))
    }
    #expect(!FileManager.default.fileExists(atPath: path("a.pdf")))
  }

  @Test(
    "the first program that is installed gets a page that loads nothing, and its PDF is the file",
    arguments: ["weasyprint", "chromium", "wkhtmltopdf"])
  func converted(name: String) throws {
    // Each is told the page and the result in its own way.
    let find =
      name == "chromium"
      ? #"for w; do case $w in --print-to-pdf=*) out=${w#*=};; file://*) in=${w#file://};; esac; done"#
      : #"while [ $# -gt 2 ]; do shift; done; in=$1; out=$2"#
    try program.makeTool(
      path("bin/\(name)"),
      """
      PATH=/usr/bin:/bin; echo "$@" > "$HOME/words"; \(find)
      cp "$in" "$HOME/page.html"; printf '%%PDF-1.7 made' > "$out"
      """)
    let result = try export("-o", path("a.pdf"))
    #expect(result.code == 0, "\(result.errors)")
    #expect(try String(contentsOfFile: path("a.pdf"), encoding: .utf8) == "%PDF-1.7 made")
    let page = try String(contentsOfFile: path("page.html"), encoding: .utf8)
    for part in [
      "2 entries", "<h1>December 2025</h1>", "<a href=\"#m-2026-01\">January 2026</a>",
      "<b>#sea</b> <a href=\"#e-", "&lt;script&gt;", "default-src 'none'",
    ] {
      #expect(page.contains(part), "\(part)")
    }
    #expect(!page.contains("<script") && !page.contains("src="))
    #expect(try leftovers() == [])
    // An existing file needs --force.
    #expect(try export("-o", path("a.pdf")).code == 73)
    #expect(try export("-o", path("a.pdf"), "--force").code == 0)
    #expect(try export("--format", "pdf").code == 64)
  }

  @Test("a program that fails, or makes no PDF, leaves the old file and is quoted")
  func failures() throws {
    try Data("old".utf8).write(to: program.home.appending(path: "a.pdf"))
    for script in ["echo no fonts >&2; exit 3", "echo '%PDF' > \"$2\"; kill -9 $$", "exit 0"] {
      try program.makeTool(path("bin/weasyprint"), script)
      let result = try export("-o", path("a.pdf"), "--force")
      #expect(result.code == 69 && result.errors.contains("nothing was written"))
      #expect(script.contains("fonts") == result.errors.contains(": no fonts"))
      #expect(try String(contentsOfFile: path("a.pdf"), encoding: .utf8) == "old")
      #expect(try leftovers() == [])
    }
  }

  @Test("a signal ends the program, and nothing of either is left", arguments: ["INT", "TERM"])
  func signals(name: String) throws {
    try program.makeTool(
      path("bin/weasyprint"), "PATH=/usr/bin:/bin; echo $$ > $HOME/pid; exec sleep 1000")
    let result = try program.shell(
      """
      set -m; export TMPDIR=$HOME
      PATH=$HOME/bin \(Program.binary.path) export -o $HOME/a.pdf & pid=$!
      until [ -s $HOME/pid ]; do sleep 0.01; done
      kill -\(name) $pid; wait $pid; echo "code $?"
      kill -0 $(cat $HOME/pid) 2>/dev/null && echo "it runs on"
      """)
    #expect(result.output == "code \(name == "INT" ? 130 : 143)\n")
    #expect(result.errors.contains("nothing was written"))
    #expect(!FileManager.default.fileExists(atPath: path("a.pdf")))
    #expect(try leftovers() == [])
  }

  @Test("a program that does not end is ended")
  func endless() throws {
    try program.makeTool(path("bin/weasyprint"), "exec /usr/bin/sleep 1000")
    let converter = try PDFConverter(path: path("bin"), limit: 1)
    let failure = #expect(throws: Failure.self) {
      let work = LongWork("exporting", for: ShellObserver(descriptor: -1))
      _ = try converter.convert(work, isSealed: false) { _ in }
    }
    #expect(failure?.message.contains("did not end within 1 second") == true)
  }

  @Test(
    "an installed program makes a PDF, if PDF_PROGRAM names it",
    .enabled(if: ProcessInfo.processInfo.environment["PDF_PROGRAM"] != nil))
  func installed() throws {
    let name = try #require(ProcessInfo.processInfo.environment["PDF_PROGRAM"])
    // With all that a program may call, and without the others of the three.
    let linked = try program.shell(
      """
      cd $HOME/bin; ln -s /usr/bin/* . ; rm -f weasyprint chromium wkhtmltopdf
      ln -s "$(command -v \(name))" \(name)
      """)
    try #require(linked.code == 0)
    // Chromium has a socket below TMPDIR, whose path must be short.
    let result = try program.run(
      ["export", "-o", path("a.pdf")], extra: ["PATH": path("bin")])
    #expect(result.code == 0, "\(result.errors)")
    let bytes = try Data(contentsOf: program.home.appending(path: "a.pdf"))
    #expect(bytes.starts(with: Data("%PDF-".utf8)) && bytes.count > 5_000)
  }
}
