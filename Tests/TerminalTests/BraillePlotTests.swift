import Testing
import TextLayout

/// Amounts as bars in braille cells.
struct BraillePlotTests {
  @Test("a bar is as high as its amount, from the line of zero")
  func bars() {
    #expect(BraillePlot([4, 2, 0, 4], columns: 2, height: 1).lines == ["\u{28E7}\u{28B8}"])
    #expect(BraillePlot([8, 4], columns: 1, height: 2).lines == ["\u{2847}", "\u{28FF}"])
    #expect(BraillePlot([2, -2], columns: 1, height: 1).lines == ["\u{28A3}"])
    #expect(BraillePlot([], columns: 4, height: 2).lines == ["", ""])
    #expect(BraillePlot([0, 0], columns: 1, height: 1).lines == [" "])
  }

  @Test("any amounts fit, and of too many the last are shown")
  func sizes() {
    for count in [1, 2, 3, 7, 40, 500] {
      for columns in [1, 2, 8, 33] {
        let amounts = (0..<count).map { Double($0 * 37 % 101) - 30 }
        let plot = BraillePlot(amounts, columns: columns, height: 3)
        #expect(plot.lines.count == 3)
        #expect(plot.lines.allSatisfy { $0.count <= columns && $0.count == plot.lines[0].count })
      }
    }
    #expect(
      BraillePlot([9, 9, 1, 4], columns: 1, height: 1).lines
        == BraillePlot([1, 4], columns: 1, height: 1).lines)
  }
}
