import TextLayout

/// The pictures that a terminal with kitty's graphics protocol has of this program.
///
/// A picture is sent once, in small pieces, and shown by cells with placeholders, which scroll and are
/// covered as any text. Until it is there its half blocks are shown.
struct KittyPictures {
  /// How the sequences reach the terminal.
  enum Passage {
    case direct
    /// Through tmux, which passes them on unread.
    case tmux
  }

  let passage: Passage
  /// The colours that identify images: the numbers of images are colours of cells.
  private let hasManyColors: Bool
  /// The pictures that the terminal has, or of which it has a part.
  private var images: [CanvasPicture: Image] = [:]
  /// The pictures of the last frame.
  private var wanted: [CanvasPicture] = []
  private var sending: Sending?
  private var next: UInt32
  private var frame = 0

  private struct Image {
    let number: UInt32
    var isWhole = false
    /// The last frame that showed it.
    var frame: Int
  }

  /// A picture that is under way.
  private struct Sending {
    let picture: CanvasPicture
    let number: UInt32
    let format: Int
    let bytes: [UInt8]
    var sent = 0
  }

  /// The bytes of pixels in a piece, 4,096 in Base64, and the most pictures and bytes in the terminal.
  private static let (pieceSize, mostImages, mostBytes) = (3_072, 32, 48 << 20)
  /// The lowest number: the first colours are those of themes, and have other sequences.
  private static let lowest: UInt32 = 16

  /// - Parameter profile: the colours of the terminal.
  init(_ passage: Passage, profile: ColorProfile) {
    self.passage = passage
    hasManyColors = profile == .trueColor
    // Programs in other windows of a multiplexer have numbers, too.
    next =
      hasManyColors ? UInt32.random(in: 0x1000..<0xF0_0000) : UInt32.random(in: Self.lowest..<200)
  }

  // MARK: Frames

  /// A frame with placeholders for the pictures that the terminal has.
  mutating func placed(_ canvas: Canvas) -> Canvas {
    frame += 1
    wanted = canvas.pictures
    for picture in wanted { images[picture]?.frame = frame }
    guard !wanted.isEmpty else { return canvas }
    return canvas.placing { images[$0].flatMap { $0.isWhole ? $0.number : nil } }
  }

  /// The numbers of the images that the terminal may have.
  var numbers: [UInt32] { images.values.map(\.number).sorted() }

  /// Whether a picture of the last frame is to be sent.
  var isSending: Bool { sending != nil || missing != nil }

  private var missing: CanvasPicture? { wanted.first { images[$0] == nil } }

  // MARK: Sending

  /// Begins with the next picture of the frame, if none is under way.
  ///
  /// - Returns: the bytes that delete older ones in its place; `nil` if there is nothing to send.
  mutating func begin() -> [UInt8]? {
    if sending != nil { return [] }
    guard let picture = missing else { return nil }
    let bytes = makeRoom(for: picture)
    next = hasManyColors ? next + 1 : next >= 255 ? Self.lowest : next + 1
    while images.values.contains(where: { $0.number == next }) {
      next = next >= 255 && !hasManyColors ? Self.lowest : next + 1
    }
    images[picture] = Image(number: next, frame: frame)
    let pixels = picture.pixels
    let isOpaque = stride(from: 3, to: pixels.bytes.count, by: 4).allSatisfy {
      pixels.bytes[$0] == 255
    }
    sending = Sending(
      picture: picture, number: next, format: isOpaque ? 24 : 32,
      bytes: isOpaque ? Self.withoutAlpha(pixels.bytes) : pixels.bytes)
    return bytes
  }

  private static func withoutAlpha(_ pixels: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(pixels.count / 4 * 3)
    for start in stride(from: 0, to: pixels.count, by: 4) { bytes += pixels[start..<start + 3] }
    return bytes
  }

  /// Forgets pictures that no frame shows, those that were shown longest ago first.
  private mutating func makeRoom(for picture: CanvasPicture) -> [UInt8] {
    var bytes: [UInt8] = []
    func size(_ picture: CanvasPicture) -> Int { picture.pixels.bytes.count }
    while let oldest = images.filter({ $0.value.frame < frame && $0.value.isWhole }).min(by: {
      $0.value.frame < $1.value.frame
    }),
      images.count >= Self.mostImages
        || images.keys.reduce(size(picture), { $0 + size($1) }) > Self.mostBytes
    {
      bytes += sequence("a=d,d=I,i=\(oldest.value.number),q=2")
      images[oldest.key] = nil
    }
    return bytes
  }

  /// The next piece of the picture that is under way.
  ///
  /// - Returns: the bytes, and whether it is the last piece.
  mutating func piece() -> (bytes: [UInt8], isLast: Bool) {
    guard var current = sending else { return ([], false) }
    let isFirst = current.sent == 0
    let end = min(current.sent + Self.pieceSize, current.bytes.count)
    let isLast = end == current.bytes.count
    var keys = "m=\(isLast ? 0 : 1),q=2"
    if isFirst {
      let (box, pixels) = (current.picture.box, current.picture.pixels)
      keys =
        "a=T,U=1,i=\(current.number),f=\(current.format),s=\(pixels.width),v=\(pixels.height),"
        + "c=\(box.columns),r=\(box.rows),\(keys)"
    }
    let bytes = sequence(keys, Base64.encode(Array(current.bytes[current.sent..<end])))
    current.sent = end
    sending = isLast ? nil : current
    if isLast { images[current.picture]?.isWhole = true }
    return (bytes, isLast)
  }

  // MARK: Leaving

  /// The bytes that delete all images, whole or not; nothing may be left of a sequence before them.
  var deleting: [UInt8] {
    guard !images.isEmpty else { return [] }
    return Self.end + numbers.flatMap { sequence("a=d,d=I,i=\($0),q=2") }
  }

  /// Forgets all images, which were deleted.
  mutating func forget() {
    images = [:]
    sending = nil
  }

  // MARK: Sequences

  private static let end = Array("\u{1B}\\".utf8)

  /// A sequence of the protocol, `APC G KEYS ; DATA ST`.
  private func sequence(_ keys: String, _ data: [UInt8] = []) -> [UInt8] {
    let bytes =
      Array("\u{1B}_G\(keys)".utf8) + (data.isEmpty ? [] : [UInt8(ascii: ";")] + data) + Self.end
    switch passage {
    case .direct: return bytes
    case .tmux:
      let doubled = bytes.flatMap { $0 == 0x1B ? [0x1B, 0x1B] : [$0] }
      return Array("\u{1B}Ptmux;".utf8) + doubled + Self.end
    }
  }
}

extension KittyPictures {
  /// Whether a terminal shows pictures by placeholders, by the name that it has for itself (XTVERSION):
  /// others that have the protocol do not, and would show the placeholders.
  static func hasPlaceholders(_ name: String) -> Bool {
    let name = name.lowercased()
    if name.hasPrefix("ghostty") { return true }
    guard name.hasPrefix("kitty") else { return false }
    let numbers = name.drop { !$0.isNumber }.split { !$0.isNumber }.compactMap { Int($0) }
    guard let major = numbers.first else { return false }
    return major > 0 || numbers.count > 1 && numbers[1] >= 28
  }
}
