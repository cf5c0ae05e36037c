import Foundation
import Screen
import Testing

@testable import daybook_bench

/// The plan of row 26, and what it makes of the times.
struct KeyPressTests {
  @Test("every view of the catalog is a page of the row, and every page has keys and a sign")
  func pages() {
    #expect(Set(MeasuredPage.allCases.map(\.context)) == Set(KeyContext.allCases))
    for page in MeasuredPage.allCases {
      #expect(page == .list || !page.path.isEmpty, "\(page)")
      #expect(!page.sign.isEmpty, "\(page)")
    }
  }

  @Test("every action is pressed on every page where the key table has it, once")
  func actions() {
    for page in MeasuredPage.allCases {
      let bound = KeyTable.standard.bindings.filter { $0.contexts.contains(page.context) }
      let pressed = KeyPress.actions.filter { $0.page == page.rawValue }
      #expect(pressed.count == Set(bound.map(\.action)).count)
      for press in pressed {
        // The keys before it are those of the page and the beginning of its sequence.
        let keys = Array(press.path.dropFirst(page.path.count)) + [press.key]
        let binding = bound.first { MeasuredPage.bytes(of: $0.sequence) == keys }
        #expect(press.path.starts(with: page.path))
        #expect(binding.map { press.name.hasSuffix(", \($0.action.rawValue)") } == true)
      }
    }
    #expect(Set(KeyPress.actions).count == KeyPress.actions.count)
    #expect(
      Set(KeyPress.actions.map { $0.name.split(separator: " ").last.map(String.init) ?? "" })
        == Set(Action.allCases.map(\.rawValue)))
  }

  @Test("every kind of letter is typed in a prompt, alone and after another one")
  func letters() throws {
    let opening = try #require(KeyPress.actions.first { $0.name.hasSuffix(", search") })
    let letters = opening.letters
    #expect(letters.count == 2 * TypedKey.allCases.count)
    for kind in TypedKey.allCases {
      let presses = letters.filter { $0.key == kind.key }
      #expect(presses.map(\.path.count) == [1, 2], "\(kind)")
      #expect(presses.allSatisfy { $0.path[0] == opening.key })
    }
  }

  @Test("--keys presses the keys with these words alone, and what is typed in their prompts")
  func wantedKeys() throws {
    #expect(try BenchCommand.parse(["--keys", "section-tag"]).keys == "section-tag")
    func pressed(_ keys: String?) throws -> [KeyPress] {
      let bench = try bench(keys: keys)
      defer { bench.data.clean() }
      var pressed: [KeyPress] = []
      let times = try EveryKeyRow(bench: bench).times { key in
        pressed.append(key)
        return KeyTimes(first: 1, rest: 1, opensPrompt: key.name.hasSuffix(", search"))
      }
      #expect(Set(times.map(\.press)) == Set(pressed))
      return pressed
    }
    let all = Set(try pressed(nil))
    #expect(all.isSuperset(of: KeyPress.actions))
    let tags = Set(try pressed("section-tag"))
    #expect(tags == all.filter { $0.words.contains("section-tag") } && !tags.isEmpty)
    let search = Set(try pressed(", search"))
    let letters = search.filter { $0.page.hasPrefix("prompt of ") }
    #expect(letters.count == 2 * TypedKey.allCases.count && letters.count < search.count)
  }

  private func bench(keys: String? = nil) throws -> Bench {
    let path = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID().uuidString)")
    return Bench(
      data: try DataDirectory(path: path.path), large: 1_000, rounds: 5, isQuick: true,
      isFull: false,
      keys: keys, binaries: "", peers: PeerPrograms())
  }

  @Test("the slowest ten are printed with their page, slowest first, and only the others' share")
  func figures() throws {
    let bench = try bench()
    defer { bench.data.clean() }
    let keys = (0..<200).map { index in
      let first = Double((index * 7) % 200)
      let times = KeyTimes(first: first, rest: 500, next: index < 3 ? Double(index) : nil)
      let press = KeyPress(page: "page", name: "key \(index)", path: [], key: "k")
      return (press: press, times: times)
    }
    let figures = EveryKeyRow(bench: bench).figures(keys, 1_000)
    let first = figures.filter { $0.name.contains("first output") }
    let slowest: [Double] = [199, 198, 197, 196, 195, 194, 193, 192, 191, 190]
    #expect(first.map(\.value) == [197] + slowest)
    #expect(first[1].name.hasSuffix("slowest 1: page: key 57") && first[1].isMet == false)
    let next = figures.filter { $0.name.contains("next key") }
    let values: [Double] = [2, 2, 1, 0]
    #expect(next.map(\.value) == values)
    #expect(next.allSatisfy { $0.isMet == true })
    let times = [1.0, 9, 2].map { KeyTimes(first: $0, rest: $0) }
    #expect(KeyTimes(medianOf: times).first == 2)
    #expect(EveryKeyRow(bench: bench.with(large: 10)).sizes == [10, 1_000])
  }
}
