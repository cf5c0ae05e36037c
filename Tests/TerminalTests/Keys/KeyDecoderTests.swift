import TestSupport
import Testing

@testable import Terminal
@testable import TextLayout

@Suite("The key decoder")
struct KeyDecoderTests {
  /// The names of the keys of some bytes, pastes as `paste(...)`.
  static func names(_ bytes: [UInt8], pieces: Int = .max) -> [String] {
    var decoder = KeyDecoder()
    var events: [KeyEvent] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      events += decoder.feed(Array(rest.prefix(pieces)))
      rest = rest.dropFirst(pieces)
    }
    events += decoder.finish()
    return events.map(name)
  }

  static func name(_ event: KeyEvent) -> String {
    switch event {
    case .stroke(let stroke): stroke.name
    case .paste(let bytes): "paste(\(String(decoding: bytes, as: UTF8.self)))"
    case .mouse(let mouse): "mouse(\(mouse.kind) \(mouse.column),\(mouse.row))"
    case .report(.background(let color)):
      "background(\(String(color | 0x1000000, radix: 16).dropFirst()))"
    case .report(.mode(let number, let state)): "mode(\(number), \(state))"
    case .report(.attributes(let numbers)):
      "attributes\(numbers.sorted().map { " \($0)" }.joined())"
    case .report(let report): "\(report)"
    }
  }

  static func names(_ text: String) -> [String] { names(Array(text.utf8)) }

  static let table: [(String, [String])] = [
    ("a日é👩", ["a", "日", "é", "👩"]),
    (" <", [" ", "<lt>"]),
    ("\r\n", ["<Enter>", "<Enter>"]),
    ("\t\u{7F}\u{8}", ["<Tab>", "<BS>", "<BS>"]),
    ("\u{0}\u{1}\u{12}\u{1A}", ["<C-@>", "<C-a>", "<C-r>", "<C-z>"]),
    ("\u{1C}\u{1D}\u{1E}\u{1F}", ["<C-\\>", "<C-]>", "<C-^>", "<C-_>"]),
    ("\u{1B}", ["<Esc>"]),
    ("\u{1B}\u{1B}", ["<Esc>", "<Esc>"]),
    ("\u{1B}x\u{1B}é\u{1B}日", ["<A-x>", "<A-é>", "<A-日>"]),
    ("\u{1B}\r\u{1B}\n\u{1B}\u{7F}", ["<A-Enter>", "<A-Enter>", "<A-BS>"]),
    ("\u{1B}\u{2}\u{1B} \u{1B}<", ["<C-A-b>", "<A-Space>", "<A-lt>"]),
    ("\u{1B}\u{1B}x", ["<Esc>", "<A-x>"]),
    ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", ["<Up>", "<Down>", "<Right>", "<Left>"]),
    ("\u{1B}OA\u{1B}OB\u{1B}OC\u{1B}OD", ["<Up>", "<Down>", "<Right>", "<Left>"]),
    ("\u{1B}[1;5A\u{1B}[1;2B\u{1B}[1;3C", ["<C-Up>", "<S-Down>", "<A-Right>"]),
    ("\u{1B}[1;8D\u{1B}[1;9D", ["<C-A-S-Left>", "<A-Left>"]),
    ("\u{1B}[H\u{1B}OH\u{1B}[1~\u{1B}[7~", ["<Home>", "<Home>", "<Home>", "<Home>"]),
    ("\u{1B}[F\u{1B}OF\u{1B}[4~\u{1B}[8~", ["<End>", "<End>", "<End>", "<End>"]),
    ("\u{1B}[2~\u{1B}[3~\u{1B}[5~\u{1B}[6~", ["<Insert>", "<Del>", "<PageUp>", "<PageDown>"]),
    ("\u{1B}[3;5~\u{1B}[6;3~", ["<C-Del>", "<A-PageDown>"]),
    ("\u{1B}[Z\u{1B}[1;2Z", ["<S-Tab>", "<S-Tab>"]),
    ("\u{1B}OP\u{1B}[11~\u{1B}[[A\u{1B}[1;5P", ["<F1>", "<F1>", "<F1>", "<C-F1>"]),
    ("\u{1B}OR\u{1B}[15~\u{1B}[24~\u{1B}[24;2~", ["<F3>", "<F5>", "<F12>", "<S-F12>"]),
    (
      "\u{1B}[a\u{1B}Oa\u{1B}[3$\u{1B}[3^\u{1B}[3@",
      [
        "<S-Up>", "<C-Up>", "<S-Del>", "<C-Del>", "<C-S-Del>",
      ]
    ),
    ("\u{1B}\u{1B}[A\u{1B}\u{1B}OA", ["<A-Up>", "<A-Up>"]),
    ("\u{1B}OM\u{1B}Oq\u{1B}Ok", ["<Enter>", "1", "+"]),
    ("\u{1B}[13;3u\u{1B}[97;5u\u{1B}[27;5;97~", ["<A-Enter>", "<C-a>", "<C-a>"]),
    ("\u{1B}[27u\u{1B}[97u\u{1B}[9;2u", ["<Esc>", "a", "<S-Tab>"]),
    ("x\u{1B}[200~dd\r\u{1B}[A\u{1B}[201~y", ["x", "paste(dd\r\u{1B}[A)", "y"]),
    ("\u{1B}[200~\u{1B}[200~\u{1B}\u{1B}[201~", ["paste(\u{1B}[200~\u{1B})"]),
    ("\u{1B}[200~cut off", ["paste(cut off)"]),
    // Not keys: focus, mouse of three kinds, answers, strings, the unknown.
    ("\u{1B}[I\u{1B}[Oa", ["focus(true)", "focus(false)", "a"]),
    ("\u{1B}[<0;10;20M\u{1B}[<0;10;20mb", ["mouse(press 9,19)", "mouse(release 9,19)", "b"]),
    ("\u{1B}[<32;11;20Mb", ["mouse(drag 10,19)", "b"]),
    ("\u{1B}[M !!c\u{1B}[32;5;6Md", ["c", "d"]),
    ("\u{1B}[?62;4c\u{1B}[24;80R\u{1B}[>41;354;0ce", ["attributes 4", "e"]),
    ("\u{1B}[?2026;2$yf", ["mode(2026, off)", "f"]),
    ("\u{1B}]10;rgb:0/0/0\u{7}g\u{1B}]52;c;ZWNobw==\u{1B}\\h", ["g", "h"]),
    // The background, with one to four digits per colour.
    ("\u{1B}]11;rgb:f/0/8\u{7}g", ["background(ff0088)", "g"]),
    ("\u{1B}]11;rgb:1c1c/1b1b/ffff\u{1B}\\h", ["background(1c1bff)", "h"]),
    ("\u{1B}]11;rgba:fff/000/800/fff\u{7}", ["background(ff007f)"]),
    ("\u{1B}]11;rgb:/0/0\u{7}\u{1B}]11;rgb:0/0\u{7}\u{1B}]11;red\u{7}i", ["i"]),
    ("\u{1B}P>|XTerm(353)\u{1B}\\i\u{1B}_Gi=1;OK\u{1B}\\j", ["name(\"XTerm(353)\")", "i", "j"]),
    ("\u{1B}[999~\u{1B}[57350u\u{1B}Oz\u{1B}[31mk", ["k"]),
    ("\u{1B}[123456789012345678901234567890~l", ["l"]),
    // Keys all the same.
    ("\u{1B}]x\u{1B}Px\u{1B}_x", ["<A-]>", "x", "<A-P>", "x", "<A-_>", "x"]),
    ("\u{1B}[", ["<A-[>"]),
    ("\u{1B}O", ["<A-O>"]),
    // A sequence that is cut by another one or by a control character.
    ("\u{1B}[1;\u{1B}[A\u{1B}[1;\rm", ["<Up>", "<Enter>", "m"]),
    ("\u{1B}]0;never ended\rn", ["<Enter>", "n"]),
    ("\u{1B}[1;", []),
  ]

  @Test("reads the sequences of every common terminal", arguments: table)
  func sequences(_ text: String, _ names: [String]) {
    #expect(Self.names(text) == names)
  }

  @Test("gives the same keys wherever the input is cut", arguments: table)
  func pieces(_ text: String, _ names: [String]) {
    let bytes = Array(text.utf8)
    for cut in 0...bytes.count {
      var decoder = KeyDecoder()
      var events = decoder.feed(Array(bytes[..<cut]))
      events += decoder.feed(Array(bytes[cut...]))
      events += decoder.finish()
      #expect(events.map(Self.name) == names, "cut at byte \(cut)")
    }
    #expect(Self.names(bytes, pieces: 1) == names)
  }

  @Test("an answer that is expected is no key, however late its pieces come")
  func lateAnswer() {
    let answer = Array("\u{1B}]11;rgb:1/2/3\u{7}".utf8)
    for cut in 2..<answer.count {
      var decoder = KeyDecoder()
      decoder.expectsAnswer = true
      var events = decoder.feed(Array(answer[..<cut]))
      #expect(!decoder.isWaiting)
      events += decoder.timeOut() + decoder.feed(Array(answer[cut...]))
      #expect(events.map(Self.name) == ["background(112233)"], "cut at byte \(cut)")
      #expect(decoder.expectsAnswer)
      // The last answer ends it.
      _ = decoder.feed(Array("\u{1B}[?62c".utf8))
      #expect(!decoder.expectsAnswer)
    }
    let mode = Array("\u{1B}[?2026;2$y".utf8)
    for cut in 2..<mode.count {
      var decoder = KeyDecoder()
      decoder.expectsAnswer = true
      let events =
        decoder.feed(Array(mode[..<cut])) + decoder.timeOut() + decoder.feed(Array(mode[cut...]))
      #expect(events == [.report(.mode(2026, .off))], "cut at byte \(cut)")
    }
    // Alt-] is a key otherwise, and with an answer expected as soon as another key follows.
    var decoder = KeyDecoder()
    #expect(decoder.feed(Array("\u{1B}]".utf8)).isEmpty && decoder.isWaiting)
    decoder.expectsAnswer = true
    #expect(decoder.feed(Array("x".utf8)).map(Self.name) == ["<A-]>", "x"])
  }

  @Test("knows the keys of kitty's protocol, and gives readline the bytes of before")
  func kitty() {
    let table: [(String, String, [UInt8])] = [
      ("\u{1B}[27u", "<Esc>", [0x1B]), ("\u{1B}[99;5u", "<C-c>", [0x03]),
      ("\u{1B}[99;69u", "<C-c>", [0x03]), ("\u{1B}[120;3u", "<A-x>", [0x1B, 0x78]),
      ("\u{1B}[105;5u", "<Tab>", [0x09]), ("\u{1B}[13;2u", "<S-Enter>", [0x0D]),
      ("\u{1B}[13;5u", "<C-Enter>", [0x0D]), ("\u{1B}[127;3u", "<A-BS>", [0x1B, 0x7F]),
      ("\u{1B}[57400u", "1", [0x31]), ("\u{1B}[57410u", "/", [0x2F]),
      ("\u{1B}[57413;129u", "+", [0x2B]), ("\u{1B}[57414u", "<Enter>", [0x0D]),
      ("\u{1B}[57415u", "=", [0x3D]), ("\u{1B}[57417u", "<Left>", Array("\u{1B}[D".utf8)),
      ("\u{1B}[57421;5u", "<C-PageUp>", Array("\u{1B}[5;5~".utf8)),
      ("\u{1B}[57426u", "<Del>", Array("\u{1B}[3~".utf8)),
      ("\u{1B}[1;5A", "<C-Up>", Array("\u{1B}[1;5A".utf8)),
      ("\u{1B}[228;7u", "<C-A-ä>", Array("\u{1B}ä".utf8)),
      ("\u{1B}[97:65;6u", "<C-a>", [0x01]),
    ]
    for (bytes, name, readline) in table {
      var decoder = KeyDecoder()
      let events = decoder.feed(Array(bytes.utf8))
      #expect(
        events == [.stroke(KeyStroke(name: name, bytes: readline))], "\(bytes.debugDescription)")
      #expect(!decoder.isWaiting)
    }
    // Keys that are only modifiers or media are none.
    #expect(Self.names("\u{1B}[57441u\u{1B}[57428u\u{1B}[57358u") == [])
  }

  @Test("finds the last ^C in bytes, in either form")
  func interrupts() {
    for (text, rest) in [
      ("ab\u{3}c", "c"), ("\u{3}\u{3}", ""), ("a\u{1B}[99;5ub", "b"), ("\u{1B}[99;69u", ""),
      ("\u{3}x\u{1B}[99;5uy", "y"), ("\u{1B}[99;5u\u{3}z", "z"),
    ] {
      let bytes = Array(text.utf8)
      #expect(KeyDecoder.endOfInterrupt(in: bytes).map { Array(bytes[$0...]) } == Array(rest.utf8))
    }
    for text in ["", "abc", "\u{1B}[99u", "\u{1B}[99;3u", "\u{1B}[99;5", "\u{1B}[99;99999999999u"] {
      #expect(KeyDecoder.endOfInterrupt(in: Array(text.utf8)) == nil)
    }
  }

  @Test("what a terminal says about itself is no key, and Esc before it is one")
  func reports() {
    #expect(
      Self.names("\u{1B}[I\u{1B}[O\u{1B}[?997;1n\u{1B}[?0u\u{1B}[?62;4c\u{1B}[?2027;3$y")
        == [
          "focus(true)", "focus(false)", "scheme(isDark: true)", "keyboard(flags: 0)",
          "attributes 4", "mode(2027, alwaysOn)",
        ])
    #expect(Self.names("\u{1B}\u{1B}[?62;4cx") == ["<Esc>", "attributes 4", "x"])
    // A terminal whose description has the sequence as a key.
    var decoder = KeyDecoder(terminalKeys: ["<PageUp>": Array("\u{1B}[I".utf8)])
    #expect(decoder.feed(Array("\u{1B}[I".utf8)).map(Self.name) == ["<PageUp>"])
  }

  @Test("an answer that is cut off ends before the keys after it")
  func cutAnswer() {
    let cut = "\u{1B}]11;rgb:dddd/dd" + String(repeating: "j", count: 40)
    #expect(Self.names(cut).suffix(3) == ["j", "j", "j"])
  }

  @Test("shows each maximal ill-formed part of UTF-8 as one U+FFFD")
  func illFormed() {
    #expect(Self.names([0x61, 0xFF, 0xFE, 0x62]) == ["a", "\u{FFFD}", "\u{FFFD}", "b"])
    #expect(Self.names([0xC0, 0xAF]) == ["\u{FFFD}", "\u{FFFD}"])
    #expect(Self.names([0xED, 0xA0, 0x80]) == ["\u{FFFD}", "\u{FFFD}", "\u{FFFD}"])
    #expect(Self.names([0xF4, 0x90, 0x80, 0x80]).count == 4)
    #expect(Self.names([0xE2, 0x82]) == ["\u{FFFD}"])
    #expect(Self.names([0xE2, 0x82, 0x0D]) == ["\u{FFFD}", "<Enter>"])
    #expect(Self.names([0xE2, 0x1B, 0x5B, 0x41]) == ["\u{FFFD}", "<Up>"])
    var decoder = KeyDecoder()
    let events = decoder.feed([0xFF])
    #expect(events == [.stroke(.replacement)])
  }

  @Test("tells a lone Esc by time only")
  func loneEscape() {
    var decoder = KeyDecoder()
    #expect(decoder.feed([0x1B]).isEmpty)
    #expect(decoder.isWaiting)
    #expect(decoder.timeOut() == [.stroke(.escape)])
    #expect(!decoder.isWaiting)
    #expect(decoder.timeOut().isEmpty)
    #expect(decoder.feed([0x1B]).isEmpty)
    #expect(decoder.feed(Array("[A".utf8)).map(Self.name) == ["<Up>"])
  }

  @Test("does not let the rest of a slow sequence run as keys")
  func slowSequence() {
    var decoder = KeyDecoder()
    #expect(decoder.feed(Array("\u{1B}[1;".utf8)).isEmpty)
    #expect(!decoder.isWaiting)
    #expect(decoder.timeOut().isEmpty)
    #expect(decoder.feed(Array("5A".utf8)).map(Self.name) == ["<C-Up>"])
  }

  @Test("keeps the bytes of a key for readline")
  func bytes() {
    var decoder = KeyDecoder()
    let events = decoder.feed(Array("\u{1B}[1;5Aé\u{1B}\r\n".utf8))
    let bytes = events.map { event -> [UInt8] in
      guard case .stroke(let stroke) = event else { return [] }
      return stroke.bytes
    }
    #expect(bytes == [Array("\u{1B}[1;5A".utf8), [0xC3, 0xA9], [0x1B, 0x0D], [0x0A]])
  }

  @Test("takes the sequences of the terminal's own description")
  func terminalKeys() {
    var decoder = KeyDecoder(terminalKeys: [
      "<Up>": Array("\u{1B}[x".utf8), "<Down>": Array("z".utf8),
      "<PageUp>": Array("\u{1B}O5x".utf8),
    ])
    let events = decoder.feed(Array("\u{1B}[x\u{1B}O5xz".utf8))
    #expect(events.map(Self.name) == ["<Up>", "<PageUp>", "z"])
  }

  @Test("gives a paste of a megabyte whole, in pieces of any size", arguments: [1, 7, 4_096])
  func longPaste(_ size: Int) {
    let text = Array(repeating: Array("日本\u{1B}[20 q\r\n".utf8), count: 60_000).flatMap { $0 }
    let bytes = Array("\u{1B}[200~".utf8) + text + Array("\u{1B}[201~q".utf8)
    var decoder = KeyDecoder()
    var events: [KeyEvent] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      events += decoder.feed(Array(bytes[start..<min(start + size, bytes.count)]))
    }
    #expect(events.count == 2)
    #expect(events.first == .paste(text))
  }

  @Test("consumes random bytes, the same way however they are cut")
  func random() {
    var generator = SeededGenerator(seed: 20_261_121)
    let alphabet: [UInt8] = Array("\u{1B}\u{1B}\u{1B}[[[OM]P_;:0129~<?$ \r\u{7}abu".utf8)
    for _ in 0..<3_000 {
      let count = Int.random(in: 0...40, using: &generator)
      let bytes = (0..<count).map { _ -> UInt8 in
        Bool.random(using: &generator)
          ? alphabet.randomElement(using: &generator) ?? 0
          : UInt8.random(in: 0...255, using: &generator)
      }
      let whole = Self.names(bytes)
      #expect(whole == Self.names(bytes, pieces: 1))
      #expect(whole == Self.names(bytes, pieces: Int.random(in: 2...9, using: &generator)))
    }
  }

  @Test("starts afresh after the end")
  func afterFinish() {
    for text in ["\u{1B}", "\u{1B}[1;", "\u{1B}]0", "\u{1B}[200~x", "\u{1B}[M "] {
      var decoder = KeyDecoder()
      _ = decoder.feed(Array(text.utf8))
      _ = decoder.finish()
      #expect(decoder.feed([0x61]).map(Self.name) == ["a"])
    }
  }
}
