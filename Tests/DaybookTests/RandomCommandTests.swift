import Foundation
import TestSupport
import Testing

/// `daybook random`, and `gr` on the screen.
@Suite(.waiting)
struct RandomCommandTests {
  @Test("a random entry is one that matches, printed as show prints it")
  func any() throws {
    let program = try Program()
    for text in ["one #a", "two #b", "three #a"] { _ = try program.run(["add", text]) }
    let shown = try (1...3).map { try program.run(["show", "\($0)"]).output }
    var seen: Set<String> = []
    for _ in 0..<60 where seen.count < 2 {
      seen.insert(try program.run(["random", "#a"]).output)
    }
    #expect(seen == [shown[0], shown[2]])
    #expect(try program.run(["random", "id:2"]).output == shown[1])
    let none = try program.run(["random", "#none"])
    #expect(none.code == 1 && none.output.isEmpty)
  }

  @Test("with --daily it is the same one all day, also after others are written")
  func daily() throws {
    let program = try Program()
    for day in 1...9 {
      _ = try program.run(["add", "--date", "2020-01-0\(day)", "entry \(day)"])
    }
    let first = try program.run(["random", "--daily"]).output
    for index in 0..<5 {
      _ = try program.run(["add", "now \(index)"])
      #expect(try program.run(["random", "--daily"]).output == first)
    }
    #expect(try program.run(["random", "--daily", "now"]).output.contains("now"))
  }
}
