import ResultsTestSupport
import TestSupport
import Testing

@testable import SectionedResults

extension Int: Weighted {
  /// The number itself.
  public var weight: Int { self }
}

@Suite("An array in chunks, each element weighing itself")
struct ChunkedArrayTests {
  @Test("does what an array does, through any insertions, removals and replacements")
  func equalsArray() {
    var random = SeededGenerator(seed: 7)
    var plain = Array(0..<500)
    var chunked = ChunkedArray(plain)
    for step in 0..<3_000 {
      let index = Int.random(in: 0..<max(1, plain.count), using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1:
        plain.insert(step, at: index)
        chunked.insert(step, at: index)
      case 2,
        3 where !plain.isEmpty:
        plain.remove(at: index)
        chunked.remove(at: index)
      case _ where plain.isEmpty: continue
      default:
        let parts = (0..<Int.random(in: 1...300, using: &random)).map { $0 }
        guard step.isMultiple(of: 10) else { continue }
        plain.replaceSubrange(index...index, with: parts)
        chunked.replace(at: index, with: parts)
      }
      guard step.isMultiple(of: 25) else { continue }
      #expect(Array(chunked) == plain)
      #expect(chunked.indices.map { chunked[$0] } == plain)
      let totals = plain.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
      #expect(chunked.runningTotals() == totals)
      #expect(chunked.total(before: index) == totals[index])
      let place = Int.random(in: 0..<max(1, totals[plain.count]), using: &random)
      let found = chunked.element(at: place)
      #expect(found?.index == (plain.isEmpty ? nil : totals.lastIndex { $0 <= place }))
      #expect(found?.rest == found.map { place - totals[$0.index] })
      #expect(chunked.element(at: totals[plain.count]) == nil)
    }
  }

  @Test("can be emptied and filled again")
  func emptied() {
    var chunked = ChunkedArray(Array(0..<300))
    while !chunked.isEmpty { chunked.remove(at: chunked.count / 2) }
    #expect(chunked.runningTotals() == [0])
    chunked.insert(9, at: 0)
    #expect(Array(chunked) == [9])
  }

  @Test("leaves its copies as they were")
  func copies() {
    var chunked = ChunkedArray(Array(0..<300))
    let before = chunked
    chunked[150] = -1
    chunked.remove(at: 3)
    #expect(Array(before) == Array(0..<300))
    #expect(chunked[149] == -1)
  }
}
