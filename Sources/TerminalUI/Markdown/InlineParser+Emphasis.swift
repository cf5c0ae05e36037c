extension InlineParser {
  /// Pairs signs of emphasis, marks what is between them and hides them.
  ///
  /// The way of CommonMark's reference: each closing sign looks back for its opening one, and a
  /// search that found nothing is not made again for the same signs.
  mutating func pairSigns() {
    guard !delimiters.isEmpty else { return }
    var marks = EmphasisMarks(count: bytes.count)
    var open: [EmphasisSign] = []
    /// Up to where in `open` a search for each group of signs has found nothing.
    var searched = Array(repeating: 0, count: EmphasisSign.groups)
    for var sign in delimiters {
      while sign.canClose, sign.count > 0 {
        let low = searched[sign.group]
        guard let index = open[low...].lastIndex(where: { sign.closes($0) }) else {
          searched[sign.group] = open.count
          break
        }
        marks.pair(&open[index], &sign)
        open.removeSubrange((open[index].count > 0 ? index + 1 : index)...)
        for group in searched.indices { searched[group] = min(searched[group], open.count) }
      }
      if sign.canOpen, sign.count > 0 { open.append(sign) }
    }
    for index in attributes.indices { attributes[index].formUnion(marks.attributes(at: index)) }
  }
}

/// Where emphasis begins and ends, counted, since what nests deeply would take too long to mark.
private struct EmphasisMarks {
  private var strong: [Int32]
  private var emphasis: [Int32]
  private var strike: [Int32]
  private var hidden: [Bool]
  private var depth: (strong: Int32, emphasis: Int32, strike: Int32) = (0, 0, 0)

  init(count: Int) {
    strong = Array(repeating: 0, count: count + 1)
    emphasis = strong
    strike = strong
    hidden = Array(repeating: false, count: count)
  }

  /// Takes one or two signs from the end of an opening run and from the start of a closing one.
  mutating func pair(_ opening: inout EmphasisSign, _ closing: inout EmphasisSign) {
    let used = min(2, opening.count, closing.count)
    let isStrike = closing.sign == UInt8(ascii: "~")
    opening.count -= used
    let first = opening.start + opening.count
    let last = closing.start
    closing.start += used
    closing.count -= used
    // No terminal can be trusted to strike text out, so the tildes stay.
    if isStrike {
      count(&strike, first, last + used)
    } else {
      for place in [first, last] {
        for index in place..<place + used { hidden[index] = true }
      }
      if used == 2 { count(&strong, first, last) } else { count(&emphasis, first, last) }
    }
  }

  private func count(_ depths: inout [Int32], _ start: Int, _ end: Int) {
    depths[start] += 1
    depths[end] -= 1
  }

  /// What a byte is; to be asked for in ascending order.
  mutating func attributes(at index: Int) -> InlineAttributes {
    depth.strong += strong[index]
    depth.emphasis += emphasis[index]
    depth.strike += strike[index]
    var attributes: InlineAttributes = hidden[index] ? .hidden : []
    if depth.strong > 0 { attributes.insert(.strong) }
    if depth.emphasis > 0 { attributes.insert(.emphasis) }
    if depth.strike > 0 { attributes.insert(.strike) }
    return attributes
  }
}
