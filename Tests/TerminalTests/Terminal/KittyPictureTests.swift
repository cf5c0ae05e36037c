import CTerminal
import Glibc
import TestSupport
import Testing

@testable import Terminal
@testable import TextLayout

extension ProcessTests.TerminalFeatureTests {
  /// A picture of one colour in a box of a terminal with cells of 10 × 20 pixels.
  func picture(_ name: String, width: Int, height: Int, alpha: UInt8 = 255) throws -> CanvasPicture
  {
    let box = PictureBox(
      ShownPicture(hash: name, width: width, height: height), columns: 60, rows: 12,
      cell: CellSize(width: 10, height: 20))
    let pixel: [UInt8] = [200, 100, 50, alpha]
    let bytes = (0..<box.width * box.height).flatMap { _ in pixel }
    return CanvasPicture(
      hash: name, box: box,
      pixels: try #require(PicturePixels(width: box.width, height: box.height, bytes: bytes)))
  }

  func frame(_ pictures: [CanvasPicture], from top: Int = 0, word: String = "") -> Canvas {
    var canvas = Canvas(width: 80, height: 24)
    var row = -top
    for picture in pictures {
      for part in 0..<picture.box.rows {
        canvas.draw(picture, row: part, at: 2, row: row, width: 60)
        row += 1
      }
      row += 1
    }
    canvas.draw(word, at: 0, row: 2)
    return canvas
  }

  /// Shows a frame, and all pictures of it.
  func show(_ canvas: Canvas, _ talk: inout Talk) {
    let pty = talk.pty
    talk.terminal.present(canvas)
    var shown = pty.output()
    // The terminal reads meanwhile, or the program would wait for it.
    while talk.terminal.sendPictures(unless: {
      shown += pty.output()
      return false
    }) {
      talk.terminal.present(canvas)
      shown += pty.output()
    }
    _ = talk.other.take(shown + pty.output())
  }

  func greeted(_ kind: AnsweringTerminal.Kind) throws -> Talk {
    var talk = try Talk(kind)
    _ = talk.show("first")
    talk.terminal.ask(background: true, pictures: true)
    talk.type(talk.answers().joined())
    return talk
  }

  @Test(
    "terminals that take and place pictures are known by their answers",
    arguments: AnsweringTerminal.Kind.allCases)
  func found(kind: AnsweringTerminal.Kind) throws {
    var talk = try greeted(kind)
    let cell = CellSize(width: 10, height: 20)
    let drawsPixels = kind.hasPlaceholders || kind.hasSixels || kind.takesFiles
    #expect(talk.terminal.pictureCell == (drawsPixels ? cell : nil))
    #expect(
      talk.terminal.overlaid?.format
        == (kind.takesFiles ? .file : kind.hasSixels ? .sixel(colors: 64) : nil))
    show(frame([try picture("a", width: 40, height: 40)]), &talk)
    #expect(talk.other.graphics.placeholders == (kind.hasPlaceholders ? 8 : 0))
    #expect(talk.other.graphics.images.count == (kind.hasPlaceholders ? 1 : 0))
    talk.end()
    #expect(talk.other.leftOver == [])
    #expect(
      ["kitty(0.27.1)", "kitty", "Konsole 23.04", "WezTerm 2024", "", "xkitty(0.35)"].allSatisfy {
        !KittyPictures.hasPlaceholders($0)
      })
    #expect(
      ["kitty(0.28.0)", "kitty(1.0)", "ghostty 1.0"].allSatisfy(KittyPictures.hasPlaceholders))
  }

  @Test("a picture is sent once, whatever scrolls and covers it, and anew after another program")
  func sentOnce() throws {
    var talk = try greeted(.kitty)
    let pictures = [
      try picture("a", width: 60, height: 80), try picture("b", width: 90, height: 50, alpha: 9),
    ]
    show(frame(pictures), &talk)
    #expect(talk.other.graphics.arrived == 2)
    // 60 × 80 opaque pixels and 90 × 50 others, in pieces of 3,072 bytes.
    #expect(talk.other.graphics.pieces == 5 + 6)
    for (top, word) in [(1, ""), (3, "a window over it"), (0, "桜桜桜桜"), (6, ""), (30, ""), (0, "")] {
      show(frame(pictures, from: top, word: word), &talk)
      #expect(talk.other.graphics.arrived == 2 && talk.other.graphics.faults == [])
    }
    let before = talk.other.graphics.placeholders
    show(frame(pictures), &talk)
    #expect(talk.other.graphics.placeholders == before)
    talk.terminal.withTerminalReleased {
      _ = talk.other.take(talk.pty.output())
      #expect(talk.other.leftOver == [])
    }
    show(frame(pictures), &talk)
    #expect(talk.other.graphics.arrived == 4 && talk.other.graphics.images.count == 2)
    talk.terminal.forgetScreen()
    show(frame(pictures), &talk)
    #expect(talk.other.graphics.arrived == 6 && talk.other.graphics.images.count == 2)
    talk.end()
    #expect(talk.other.leftOver == [])
  }

  @Test("a key interrupts the sending after a piece, and half a picture is deleted, too")
  func interrupted() throws {
    var talk = try greeted(.ghostty)
    let canvas = frame([try picture("a", width: 60, height: 80)])
    talk.terminal.present(canvas)
    #expect(!talk.terminal.sendPictures { true })
    _ = talk.other.take(talk.pty.output())
    #expect(talk.other.graphics.images.isEmpty)
    for turn in 1...3 {
      var asked = 0
      // Before sixels, before pictures, and before a first piece.
      let isDone = talk.terminal.sendPictures {
        asked += 1
        return asked > 3
      }
      #expect(!isDone)
      talk.terminal.present(canvas)
      _ = talk.other.take(talk.pty.output())
      #expect(talk.other.graphics.pieces == turn && talk.other.graphics.placeholders == 0)
    }
    talk.end()
    #expect(talk.other.leftOver == [])
  }

  @Test("many pictures make room for each other, and each is whole when it is shown")
  func many() throws {
    var talk = try greeted(.kitty)
    for number in 0..<80 {
      show(frame([try picture("\(number)", width: 20, height: 20)]), &talk)
    }
    #expect(talk.other.graphics.arrived == 80 && talk.other.graphics.images.count <= 32)
    #expect(talk.other.graphics.placeholders == 80 * 2 && talk.other.graphics.faults == [])
    talk.end()
    #expect(talk.other.leftOver == [])
  }

  @Test("through tmux each sequence is passed on, with its escapes doubled")
  func tmux() throws {
    var pictures = KittyPictures(.tmux, profile: .indexed)
    let picture = try picture("a", width: 60, height: 80)
    _ = pictures.placed(frame([picture]))
    #expect(pictures.begin() == [])
    var text = ""
    var isLast = false
    while !isLast {
      let piece = pictures.piece()
      text += String(decoding: piece.bytes, as: UTF8.self)
      isLast = piece.isLast
    }
    text += String(decoding: pictures.deleting.dropFirst(2), as: UTF8.self)
    let sequences = text.components(between: "\u{1B}Ptmux;", and: "\u{1B}\u{1B}\\\u{1B}\\")
    #expect(sequences.count == 6 && sequences.allSatisfy { $0.hasPrefix("\u{1B}\u{1B}_G") })
    let client = try #require(
      MultiplexerClient(answer: "xterm-kitty 256,RGB|on kitty(0.35.2)\n"))
    #expect(client.showsPictures && client.limit == nil)
    for answer in [
      "xterm-kitty 256,RGB|off kitty(0.35.2)", "xterm 256|on WezTerm 2024", "xterm |all ", "xterm",
      "xterm |all",
    ] {
      #expect(MultiplexerClient(answer: answer)?.showsPictures == false, "\(answer)")
    }
  }
}

extension String {
  /// The texts between pairs of marks, which make up the whole text.
  fileprivate func components(between start: String, and end: String) -> [String] {
    var (rest, found): (Substring, [String]) = (self[...], [])
    while rest.hasPrefix(start), let stop = rest.firstRange(of: end) {
      found.append(
        String(rest[rest.index(rest.startIndex, offsetBy: start.count)..<stop.lowerBound]))
      rest = rest[stop.upperBound...]
    }
    return rest.isEmpty ? found : []
  }
}
