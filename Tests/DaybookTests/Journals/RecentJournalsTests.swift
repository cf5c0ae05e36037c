import Foundation
import Screen
import Testing

@testable import daybook

/// The record of journals between runs.
final class RecentJournalsTests {
  private let directory = FileManager.default.temporaryDirectory
    .appending(path: "memory-\(UUID().uuidString)")
  private var memory: RecentJournals {
    RecentJournals(directory: directory.appending(path: "state").path)
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  @Test("the latest journal stands first, each once, and no more than twenty")
  func journals() {
    #expect(memory.journals == [])
    for number in 1...25 {
      memory.note("/j/\(number)")
      memory.keep(view("#t\(number)"), of: "/j/\(number)")
    }
    memory.note("/j/20")
    let kept = [20] + (6...25).filter { $0 != 20 }.reversed()
    #expect(memory.journals == kept.map { "/j/\($0)" })
    // A removed journal loses its view.
    #expect(memory.view(of: "/j/5") == ViewState())
    #expect(memory.view(of: "/j/25").filter == "#t25")
    memory.note(":memory:")
    memory.note("/with\nline")
    #expect(memory.journals.count == 20)
  }

  @Test(
    "files are their owner's alone, and a damaged or foreign one counts as none and is replaced")
  func files() throws {
    memory.note("/j/a")
    memory.keep(view("bread"), of: "/j/a")
    let state = directory.appending(path: "state")
    let views = state.appending(path: "views")
    let names = try FileManager.default.contentsOfDirectory(atPath: views.path)
    #expect(names.count == 1)
    let file = views.appending(path: names[0])
    for path in [file.path, state.appending(path: "journals").path] {
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
    let text = try String(contentsOf: file, encoding: .utf8)
    for other in [Data([0xFF, 0x0A]), Data(), Data(text.replacing("/j/a", with: "/j/b").utf8)] {
      try other.write(to: file)
      #expect(memory.view(of: "/j/a") == ViewState())
    }
    memory.keep(view("milk"), of: "/j/a")
    #expect(memory.view(of: "/j/a").filter == "milk")
    try Data("not a path\n".utf8).write(to: state.appending(path: "journals"))
    #expect(memory.journals == [])
    memory.note("/j/c")
    #expect(memory.journals == ["/j/c"])
  }

  @Test("where nothing can be written nothing is remembered, and nothing fails")
  func unwritable() {
    let memory = RecentJournals(directory: "/proc/none/state")
    memory.note("/j/a")
    memory.keep(view("bread"), of: "/j/a")
    #expect(memory.journals == [])
    #expect(memory.view(of: "/j/a") == ViewState())
  }

  private func view(_ filter: String) -> ViewState {
    var view = ViewState()
    view.filter = filter
    return view
  }
}
