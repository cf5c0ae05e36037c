/// A terminal's side of kitty's graphics protocol: the images that it has, and the placeholders that it was
/// told to show.
package struct KittyGraphics {
  /// An image, with what was said of it.
  package struct Image {
    package let columns: Int
    package let rows: Int
    fileprivate let size: Int
    fileprivate var bytes = 0
    package fileprivate(set) var isWhole = false
  }

  /// The images by their numbers.
  package private(set) var images: [Int: Image] = [:]
  /// How many images have arrived, and how many pieces of them.
  package private(set) var (arrived, pieces) = (0, 0)
  /// How many placeholders were written.
  package private(set) var placeholders = 0
  /// What the protocol does not allow.
  package private(set) var faults: [String] = []
  /// The image of which pieces are to come.
  private var open: Int?
  /// The colour of text; the number of an image.
  private var color: Int?
  /// The marks of a placeholder that was begun.
  private var marks: [Unicode.Scalar]?

  /// The marks for the first rows and columns, as the protocol lists them.
  private static let marks: [Unicode.Scalar] = [
    "\u{305}", "\u{30D}", "\u{30E}", "\u{310}", "\u{312}", "\u{33D}", "\u{33E}", "\u{33F}",
    "\u{346}", "\u{34A}", "\u{34B}", "\u{34C}", "\u{350}", "\u{351}", "\u{352}", "\u{357}",
    "\u{35B}", "\u{363}", "\u{364}", "\u{365}", "\u{366}", "\u{367}", "\u{368}", "\u{369}",
  ]

  package init() {}

  /// Takes the keys and the data of a sequence `APC G … ST`.
  ///
  /// - Returns: the answer to a question.
  mutating func take(_ body: Substring, answers: Bool) -> String? {
    let parts = body.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
    var keys: [Substring: Substring] = [:]
    for pair in parts[0].split(separator: ",") {
      let sides = pair.split(separator: "=", maxSplits: 1)
      if sides.count == 2 { keys[sides[0]] = sides[1] }
    }
    let number = keys["i"].flatMap { Int($0) }
    func key(_ name: Substring) -> Int { keys[name].flatMap { Int($0) } ?? 0 }
    let data = parts.count > 1 ? parts[1].utf8.count : 0
    switch keys["a"] {
    case "q": return answers ? "\u{1B}_Gi=\(number ?? 0);OK\u{1B}\\" : nil
    case "d":
      if keys["d"] != "I" { faults.append("deletes \(keys["d"] ?? "")") }
      if let number, images.removeValue(forKey: number) == nil {
        faults.append("no image \(number)")
      }
      if open == number { open = nil }
      return nil
    case "T":
      guard open == nil, let number, key("U") == 1, key("c") > 0, key("r") > 0 else {
        faults.append("begins \(parts[0])")
        return nil
      }
      images[number] = Image(
        columns: key("c"), rows: key("r"), size: key("s") * key("v") * key("f") / 8)
      open = number
    case nil: break
    default: faults.append("does \(parts[0])")
    }
    guard let current = open, data > 0, data <= 4_096, data % 4 == 0, key("q") == 2 else {
      faults.append("a piece of \(data) bytes")
      return nil
    }
    pieces += 1
    let padding = parts[1].suffix(2).count { $0 == "=" }
    images[current]?.bytes += data / 4 * 3 - padding
    if key("m") == 0, let image = images[current] {
      if image.bytes != image.size { faults.append("\(image.bytes) of \(image.size) bytes") }
      images[current]?.isWhole = true
      arrived += 1
      open = nil
    }
    return nil
  }

  /// Takes the numbers of a sequence that sets attributes, `CSI … m`.
  mutating func takeAttributes(_ body: Substring) {
    let numbers = body.split(separator: ";", omittingEmptySubsequences: false)
    var index = 0
    while index < numbers.count {
      let fields = numbers[index].split(separator: ":", omittingEmptySubsequences: true)
      switch Int(fields.first ?? "0") ?? 0 {
      case 0, 39: color = nil
      case 30...37: color = (Int(fields[0]) ?? 30) - 30
      case 38 where fields.count > 2:
        color = fields.dropFirst(2).reduce(0) { $0 << 8 | (Int($1) ?? 0) }
      case 38 where index + 2 < numbers.count && numbers[index + 1] == "5":
        color = Int(numbers[index + 2])
        index += 2
      case 38 where index + 4 < numbers.count:
        color = numbers[index + 2...index + 4].reduce(0) { $0 << 8 | (Int($1) ?? 0) }
        index += 4
      case 48 where fields.count == 1:
        index += numbers.count > index + 1 && numbers[index + 1] == "5" ? 2 : 4
      default: break
      }
      index += 1
    }
  }

  /// Takes text between sequences.
  mutating func takeText(_ text: Substring) {
    for scalar in text.unicodeScalars {
      if scalar == "\u{10EEEE}" {
        if marks != nil { faults.append("a placeholder without marks") }
        marks = []
      } else if var found = marks {
        found.append(scalar)
        marks = found
        guard found.count == 2 else { continue }
        marks = nil
        placeholders += 1
        let place = found.map { Self.marks.firstIndex(of: $0) ?? .max }
        guard let image = color.flatMap({ images[$0] }), image.isWhole, place[0] < image.rows,
          place[1] < image.columns
        else {
          faults.append("a placeholder at \(place) of \(color.map { "\($0)" } ?? "no image")")
          continue
        }
      }
    }
  }
}
