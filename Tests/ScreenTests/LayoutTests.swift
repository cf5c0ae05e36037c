import Screen
import Testing

/// The lines of the screen are divided without a gap, at every size.
struct LayoutTests {
  @Test("every line belongs to exactly one part, and the prompt is never squeezed out")
  func everySize() {
    for lines in 1...30 {
      for prompt in [nil, 1, 2, 5, 100] as [Int?] {
        let layout = Layout(size: Size(columns: 10, lines: lines), promptLines: prompt)
        #expect(layout.header == 0..<layout.main.lowerBound)
        #expect(layout.header.isEmpty || lines >= Layout.headerLines)
        #expect(layout.main.upperBound == layout.status.lowerBound)
        #expect(layout.status.upperBound == layout.foot.lowerBound)
        #expect(layout.foot.upperBound == layout.keys.lowerBound)
        #expect(layout.keys.upperBound == lines)
        if prompt != nil { #expect(!layout.foot.isEmpty) }
        if prompt == nil { #expect(!layout.main.isEmpty) }
      }
    }
  }

  @Test("a usual screen has a header, a status line and a hint line, a low one no header")
  func usual() {
    let layout = Layout(size: Size(columns: 80, lines: 24), promptLines: nil)
    #expect(layout.header == 0..<1)
    #expect(layout.main == 1..<22)
    #expect(layout.status == 22..<23)
    #expect(layout.foot == 23..<24)
    let low = Layout(size: Size(columns: 80, lines: 19), promptLines: nil)
    #expect(low.header.isEmpty)
    #expect(low.main == 0..<17)
  }

  @Test("below a prompt its keys have a line, on a low screen the status line has them")
  func promptKeys() {
    let layout = Layout(size: Size(columns: 80, lines: 24), promptLines: 2)
    #expect(
      [layout.main, layout.status, layout.foot, layout.keys] == [1..<20, 20..<21, 21..<23, 23..<24])
    let low = Layout(size: Size(columns: 40, lines: 10), promptLines: 2)
    #expect([low.main, low.status, low.foot, low.keys] == [0..<7, 7..<8, 8..<10, 10..<10])
  }
}
