import Screen
import Testing

/// The lines of the screen are divided without a gap, at every size.
struct LayoutTests {
  @Test("every line belongs to exactly one part, and the prompt is never squeezed out")
  func everySize() {
    for lines in 1...30 {
      for prompt in [nil, 1, 2, 5, 100] as [Int?] {
        let layout = Layout(size: Size(columns: 10, lines: lines), promptLines: prompt)
        #expect(layout.main.lowerBound == 0)
        #expect(layout.main.upperBound == layout.status.lowerBound)
        #expect(layout.status.upperBound == layout.foot.lowerBound)
        #expect(layout.foot.upperBound == lines)
        if prompt != nil { #expect(!layout.foot.isEmpty) }
        if prompt == nil { #expect(!layout.main.isEmpty) }
      }
    }
  }

  @Test("a usual screen has a status line and a hint line")
  func usual() {
    let layout = Layout(size: Size(columns: 80, lines: 24), promptLines: nil)
    #expect(layout.main == 0..<22)
    #expect(layout.status == 22..<23)
    #expect(layout.foot == 23..<24)
  }
}
