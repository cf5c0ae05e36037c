import Glibc
import TestSupport
import Testing

@testable import Terminal
@testable import TextLayout

extension ProcessTests {
  /// Every key of the prompt treats a user-perceived character as one.
  @Suite("The prompt and grapheme clusters")
  struct PromptClusterTests {
    /// Clusters of several scalars each, in as many kinds of scripts.
    static let clusters = [
      "👩‍👩‍👧‍👦", "🇯🇵", "👍🏽", "e\u{301}\u{323}", "\u{1112}\u{1161}\u{11AB}", "क्षि", "นี่", "❤️",
      "1️⃣", "🏴󠁧󠁢󠁳󠁣󠁴󠁿",
    ]
    private let turn = ReadlineTurn()
    private let prompt = ReadlinePrompt()
    private static let settings = "/tmp/daybook-clusters-\(getpid())"

    init() {
      setenv("INPUTRC", Self.settings, 1)
    }

    private func type(_ keys: String) throws {
      for step in try KeyScript.parse("<Wait 0s>" + keys) {
        if case .event(let event) = step { _ = prompt.handle(event) }
      }
    }

    private func start(_ text: String) {
      prompt.start(kind: .entry, label: "", initialText: text)
    }

    /// The text with a bar at the cursor.
    private var picture: String {
      let bytes = Array(prompt.line.utf8)
      return String(decoding: bytes[..<prompt.point], as: UTF8.self) + "|"
        + String(decoding: bytes[prompt.point...], as: UTF8.self)
    }

    @Test("are taken whole by Backspace, Delete, ^H and ^D", arguments: clusters)
    func deleting(_ cluster: String) throws {
      #expect(cluster.count == 1)
      start("a" + cluster + "b")
      try type("<Left><BS>")
      #expect(picture == "a|b")
      for key in ["<Del>", "<C-d>"] {
        start("a" + cluster + "b")
        try type("<C-a><Right>" + key)
        #expect(picture == "a|b")
      }
      start(cluster + cluster)
      try type("<C-h>")
      #expect(picture == cluster + "|")
    }

    @Test("are passed over by the arrows, ^F and ^B, with a number too", arguments: clusters)
    func moving(_ cluster: String) throws {
      start("a" + cluster + cluster + "b")
      try type("<Left><Left>")
      #expect(picture == "a" + cluster + "|" + cluster + "b")
      try type("<C-b><C-f>")
      #expect(picture == "a" + cluster + "|" + cluster + "b")
      try type("<A-2><Left>")
      #expect(picture == "|a" + cluster + cluster + "b")
      try type("<A-3><Right>")
      #expect(picture == "a" + cluster + cluster + "|b")
      try type("<A--><C-f>")
      #expect(picture == "a" + cluster + "|" + cluster + "b")
    }

    @Test("come back by undo and, deleted with a number, by ^Y", arguments: clusters)
    func undoAndYank(_ cluster: String) throws {
      start("a" + cluster + cluster)
      try type("<BS><C-_>")
      #expect(prompt.line == "a" + cluster + cluster)
      try type("<A-2><BS>")
      #expect(picture == "a|")
      try type("<C-y><C-y>")
      #expect(prompt.line == "a" + cluster + cluster + cluster + cluster)
      try type("<C-a><A-2><C-d><C-e><C-y>")
      #expect(prompt.line == cluster + cluster + cluster + "a" + cluster)
    }

    @Test("change places by ^T", arguments: clusters)
    func transposing(_ cluster: String) throws {
      start("a" + cluster)
      try type("<C-t>")
      #expect(picture == cluster + "a|")
      try type("x<C-a><Right><C-t>")
      #expect(picture == "a" + cluster + "|x")
      try type("<C-_>")
      #expect(prompt.line == cluster + "ax")
    }

    @Test(
      "clusters belong to their words in motions by words",
      arguments: ["cafe\u{301}s", "हिन्दी", "\u{1112}\u{1161}\u{11AB}글"])
    func words(_ word: String) throws {
      start("one " + word + " two")
      try type("<A-b><A-b>")
      #expect(picture == "one |" + word + " two")
      try type("<A-f>")
      #expect(picture == "one " + word + "| two")
      try type("<A-BS>")
      #expect(picture == "one | two")
      try type("<C-y><C-a><A-d><C-y>")
      #expect(prompt.line == "one " + word + " two")
    }

    @Test("clusters are one character in vi's modes", arguments: clusters)
    func viMode(_ cluster: String) throws {
      try settings("set editing-mode vi\n")
      start("a" + cluster + "b")
      try type("<Left><BS>")
      #expect(picture == "a|b")
      start("a" + cluster + cluster)
      try type("<Esc>")
      #expect(picture == "a" + cluster + "|" + cluster)
      try type("x")
      #expect(picture == "a|" + cluster)
      try type("0lP")
      #expect(prompt.line == "a" + cluster + cluster)
      try type("0dl")
      #expect(picture == "|" + cluster + cluster)
      try type("az")
      #expect(picture == cluster + "z|" + cluster)
      try type("<Esc>X")
      #expect(prompt.line == "z" + cluster)
      try settings("set editing-mode emacs\n")
    }

    @Test("are what a user's own binding of the same names works with")
    func userBinding() throws {
      try settings("\"\\C-o\": backward-delete-char\n\"\\C-xb\": backward-char\n")
      start("a👩‍👩‍👧🇯🇵")
      try type("<C-x>b<C-o>")
      #expect(picture == "a|🇯🇵")
      try settings("\"\\C-o\": operate-and-get-next\n")
    }

    @Test("leave Backspace its meaning in the search of the history")
    func search() throws {
      prompt.start(kind: .command, label: "", history: ["list one", "list two"])
      try type("<C-r>onx")
      #expect(prompt.displayPrompt.contains("onx"))
      try type("<BS>")
      #expect(prompt.displayPrompt.contains("on") && !prompt.displayPrompt.contains("onx"))
      #expect(prompt.line == "list one")
      try type("<C-e>👩‍👩‍👧<BS>")
      #expect(prompt.line == "list one")
    }

    @Test("a flag typed before a flag does not break either")
    func typingBetween() throws {
      start("🇫🇷")
      try type("<C-a>")
      for scalar in "🇩🇪".unicodeScalars { _ = prompt.feed(Array(String(scalar).utf8)) }
      #expect(picture == "🇩🇪|🇫🇷")
    }

    private func settings(_ text: String) throws {
      let file = try #require(fopen(Self.settings, "w"))
      fputs(text, file)
      fclose(file)
      start("")
      Readline.readSettings(Self.settings)
      prompt.cancel()
      unlink(Self.settings)
    }
  }

  /// Borders are found from near a place, as from the text's start.
  @Suite("The boundaries of clusters")
  struct GraphemeBoundariesTests {
    @Test("are those of the whole text, at every place and in both directions")
    func sameAsWhole() {
      let text = (PromptClusterTests.clusters + ["a", " ", "日本", "\n", "e"]).joined()
      let long = String(repeating: text, count: 40)
      var places = [0]
      for character in long { places.append((places.last ?? 0) + character.utf8.count) }
      var utf8 = Array(long.utf8)
      utf8.withUnsafeMutableBufferPointer { buffer in
        let boundaries = GraphemeBoundaries(UnsafeBufferPointer(buffer))
        for (start, end) in zip(places, places.dropFirst()) {
          for place in start..<end {
            #expect(boundaries.cluster(at: place) == start..<end)
          }
          #expect(boundaries.boundary(after: start) == end)
          #expect(boundaries.boundary(before: end) == start)
        }
        #expect(boundaries.boundary(before: 0) == 0)
        #expect(boundaries.boundary(after: buffer.count) == buffer.count)
      }
    }
  }
}
