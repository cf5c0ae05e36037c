import Foundation
import Journal
import Testing

/// Exports in Org as Emacs reads them, run if `EMACS` names one; it is then a failure if there is none.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["EMACS"] != nil), .waiting)
struct EmacsTests {
  /// Texts whose first or other lines mean something in Org.
  private static let texts = [
    "Plain\nbody", "TODO buy milk", "DONE it", "[#A] first", "COMMENT this", "COMMENT", "*",
    "* star\n* two",
    "Title :not:a:tag:", "ARCHIVE :ARCHIVE:", "Title ends:", "body\n* headline\n** two",
    "DEADLINE: <2026-01-05 Mon>",
    "body\n:PROPERTIES:\n:ID: x\n:END:", "#+title: other", "body\n#+begin_src\nx\n#+end_src",
    "# Heading #home\n\n## sub\ntext", "```\n* code\n#+end_src\n```\nafter", "> * x",
    "| a | b |\n|--|--|\n| 1|2 |",
    "#two-words #work/api @anna #日本", "桜の花 🌸 #花", "[[link]] <<target>>",
    "CLOCK: [2026-01-05 Mon 10:00]",
    "text\n:LOGBOOK:\nno end", "title\n----\n", "\u{200B}x", "   indented\n  more", "*bold* #a",
  ]

  @Test("each entry is one headline with its identity, its day, its tags and nothing else")
  func headlines() throws {
    let emacs = try #require(ProcessInfo.processInfo.environment["EMACS"])
    let program = try Program()
    var lines: [String] = []
    for (index, text) in Self.texts.enumerated() {
      let entry: [String: String] = [
        "text": text, "created": "2026-01-05T10:\(index + 10):00+00:00",
        "uuid": "0193c0de-0000-7000-8000-0000000000\(index + 10)",
      ]
      lines.append(String(decoding: try JSONEncoder().encode(entry), as: UTF8.self))
    }
    let input = Array(lines.joined(separator: "\n").utf8)
    try #require(program.run(["import", "-"], input: input).code == 0)
    let file = program.home.appending(path: "j.org").path
    try #require(program.run(["export", "-o", file]).code == 0)
    let script = """
      (require 'org)
      (with-current-buffer (find-file-noselect "\(file)")
        (org-mode)
        (org-element-map (org-element-parse-buffer) 'headline
          (lambda (h)
            (when (= 1 (org-element-property :level h))
              (princ (format "%s %s %s %s %s %s %s\\n" (org-element-property :ID h)
                (org-element-property :CREATED h) (org-element-property :todo-keyword h)
                (org-element-property :priority h) (org-element-property :commentedp h)
                (or (org-element-property :scheduled h) (org-element-property :deadline h))
                (mapconcat 'substring-no-properties (org-element-property :tags h) ":")))))))
      """
    try Data(script.utf8).write(to: program.home.appending(path: "read.el"))
    let read = try program.shell("\(emacs) -Q --batch -l $HOME/read.el")
    let shown = read.output.split(separator: "\n").map(String.init)
    let expected = Self.texts.enumerated().map { index, text in
      let tags = Tag.names(in: text).map { name in
        String(name.map { $0.isLetter || $0.isNumber || "_@#%".contains($0) ? $0 : "_" })
      }
      return
        "0193c0de-0000-7000-8000-0000000000\(index + 10) [2026-01-05 Mon 10:\(index + 10)] nil nil nil nil "
        + tags.joined(separator: ":")
    }
    #expect(shown == expected, "\(read.errors)")
  }
}
