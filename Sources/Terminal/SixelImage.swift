import TextLayout

/// A picture in the few colours of a terminal with sixels (DEC STD 070), which is written in parts.
struct SixelImage {
  private let width: Int
  private let height: Int
  /// The colours, as `0xRRGGBB`.
  let palette: [UInt32]
  /// The number of the colour of each pixel; `clear` for none.
  private let indices: [UInt16]
  private static let clear = UInt16.max

  /// Reduces the colours.
  ///
  /// - Parameters:
  ///   - size: the pixels of the terminal that it fills.
  ///   - colors: the most colours, 2 or more.
  init(_ pixels: PicturePixels, size: (width: Int, height: Int), colors: Int) {
    (width, height) = size
    palette = SixelPalette.colors(of: pixels, most: max(2, min(colors, 256)))
    indices = Self.indices(of: pixels, size: size, palette)
  }

  /// The nearest colours, whose errors go to the next pixels (Floyd and Steinberg).
  private static func indices(
    of pixels: PicturePixels, size: (width: Int, height: Int), _ palette: [UInt32]
  ) -> [UInt16] {
    let (width, height) = size
    var indices = [UInt16](repeating: clear, count: width * height)
    // Nearest colours by five bits of each component.
    var known = [UInt16](repeating: clear, count: 1 << 15)
    var (errors, below) = ([Int](), [Int](repeating: 0, count: (width + 2) * 3))
    for y in 0..<height {
      (errors, below) = (below, [Int](repeating: 0, count: (width + 2) * 3))
      for x in 0..<width {
        guard let color = pixels.color(x * pixels.width / width, y * pixels.height / height) else {
          continue
        }
        let place = (x + 1) * 3
        var wanted = [0, 0, 0]
        for part in 0..<3 {
          let value = Int(color >> UInt32(16 - 8 * part) & 255) + errors[place + part] / 16
          wanted[part] = max(0, min(255, value))
        }
        let key = (wanted[0] >> 3) << 10 | (wanted[1] >> 3) << 5 | wanted[2] >> 3
        if known[key] == clear { known[key] = nearest(to: wanted, in: palette) }
        let index = known[key]
        indices[y * width + x] = index
        for part in 0..<3 {
          let error = wanted[part] - Int(palette[Int(index)] >> UInt32(16 - 8 * part) & 255)
          errors[place + 3 + part] += error * 7
          below[place - 3 + part] += error * 3
          below[place + part] += error * 5
          below[place + 3 + part] += error
        }
      }
    }
    return indices
  }

  private static func nearest(to color: [Int], in palette: [UInt32]) -> UInt16 {
    var best = (distance: Int.max, index: 0)
    for (index, other) in palette.enumerated() {
      let red = color[0] - Int(other >> 16)
      let green = color[1] - Int(other >> 8 & 255)
      let blue = color[2] - Int(other & 255)
      let distance = red * red * 2 + green * green * 4 + blue * blue * 3
      if distance < best.distance { best = (distance, index) }
    }
    return UInt16(best.index)
  }

  /// The sequence that draws some rows of pixels at the cursor.
  func sequence(rows: Range<Int>) -> [UInt8] {
    let rows = rows.clamped(to: 0..<height)
    // Pixels without a colour stay as they are.
    var bytes = TerminalFeature.sixel.on + Array("\"1;1;\(width);\(rows.count)".utf8)
    var isDefined = [Bool](repeating: false, count: palette.count)
    var start = rows.lowerBound
    while start < rows.upperBound {
      let band = start..<min(start + 6, rows.upperBound)
      let used = Set(indices[band.lowerBound * width..<band.upperBound * width]).subtracting([
        Self.clear
      ])
      for (place, color) in used.sorted().enumerated() {
        // Back to the left edge.
        if place > 0 { bytes.append(UInt8(ascii: "$")) }
        bytes += Array("#\(color)".utf8)
        if !isDefined[Int(color)] {
          isDefined[Int(color)] = true
          bytes += Self.definition(palette[Int(color)]) + Array("#\(color)".utf8)
        }
        appendBand(band, color, to: &bytes)
      }
      bytes.append(UInt8(ascii: "-"))
      start += 6
    }
    return bytes + TerminalFeature.sixel.off
  }

  /// A colour in per cent.
  private static func definition(_ color: UInt32) -> [UInt8] {
    let parts = [color >> 16, color >> 8 & 255, color & 255].map { ($0 * 100 + 127) / 255 }
    return Array(";2;\(parts[0]);\(parts[1]);\(parts[2])".utf8)
  }

  /// The columns of six pixels of one colour, equal ones after each other with their number.
  private func appendBand(_ band: Range<Int>, _ color: UInt16, to bytes: inout [UInt8]) {
    var (last, count) = (UInt8(0), 0)
    func flush(_ bytes: inout [UInt8]) {
      if count > 3 {
        bytes += Array("!\(count)".utf8)
        bytes.append(last + 63)
      } else {
        for _ in 0..<count { bytes.append(last + 63) }
      }
    }
    for x in 0..<width {
      var bits: UInt8 = 0
      for y in band where indices[y * width + x] == color {
        bits |= 1 << UInt8(y - band.lowerBound)
      }
      if bits != last {
        flush(&bytes)
        (last, count) = (bits, 0)
      }
      count += 1
    }
    // The rest of the band has none of it.
    if last != 0 { flush(&bytes) }
  }
}

/// The colours of a picture that fit its pixels best (median cut).
enum SixelPalette {
  /// The most pixels that are looked at.
  private static let mostSamples = 1 << 14

  static func colors(of pixels: PicturePixels, most: Int) -> [UInt32] {
    let step = max(1, pixels.width * pixels.height / mostSamples)
    let samples = stride(from: 0, to: pixels.width * pixels.height, by: step).compactMap {
      pixels.color($0 % pixels.width, $0 / pixels.width)
    }
    guard !samples.isEmpty else { return [0] }
    var boxes = [samples]
    while boxes.count < most {
      let spreads = boxes.map(spread)
      guard let index = spreads.indices.max(by: { spreads[$0].value < spreads[$1].value }),
        spreads[index].value > 0
      else { break }
      let shift = spreads[index].shift
      let sorted = boxes[index].sorted { $0 >> shift & 255 < $1 >> shift & 255 }
      boxes[index] = Array(sorted[..<(sorted.count / 2)])
      boxes.append(Array(sorted[(sorted.count / 2)...]))
    }
    return boxes.map(mean)
  }

  /// The component that differs most in a box, with its weight; 0 for a box that is not divided.
  private static func spread(_ box: [UInt32]) -> (value: Int, shift: UInt32) {
    guard box.count > 1 else { return (0, 0) }
    let ranges = [UInt32(16), 8, 0].map { shift -> (value: Int, shift: UInt32) in
      var (least, most) = (255, 0)
      for color in box {
        let part = Int(color >> shift & 255)
        (least, most) = (min(least, part), max(most, part))
      }
      return ((most - least) * (shift == 8 ? 4 : 3) * min(box.count, 64), shift)
    }
    return ranges.max { $0.value < $1.value } ?? (0, 0)
  }

  private static func mean(_ box: [UInt32]) -> UInt32 {
    [UInt32(16), 8, 0].reduce(0) { color, shift in
      let sum = box.reduce(0) { $0 + Int($1 >> shift & 255) }
      return color | UInt32(sum / max(1, box.count)) << shift
    }
  }
}
