extension Range<Int> {
  /// The range of a date with the brackets around it: `Trip (2024-01-05)`.
  func withBrackets(in name: ArraySlice<UInt8>) -> Range<Int> {
    guard lowerBound > name.startIndex, upperBound < name.endIndex else { return self }
    let pair = [name[lowerBound - 1], name[upperBound]]
    let isPair = ["()", "[]"].contains { pair.elementsEqual($0.utf8) }
    return isPair ? lowerBound - 1..<upperBound + 1 : self
  }
}
