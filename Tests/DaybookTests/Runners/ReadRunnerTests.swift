import Screen
import Testing

@testable import daybook

/// Whole entries of a memory journal, and their versions.
struct ReadRunnerTests {
  @Test("entries and versions are read; those that are gone are reported")
  func reading() throws {
    let rig = try RunnerRig(["Bread #home", "Milk", "Bread again"])
    let runner = ReadRunner(rig.journal) { rig.send($0) }
    try runner.run(.entry(.entry(1)))
    #expect(rig.state.pane.reading?.entry.number == 1)
    try runner.run(.entry(.entry(99)))
    #expect(rig.state.status?.text == "no entry has the number 99")
    _ = try rig.journal.store.edit(2, text: "Milk and honey", expecting: nil)
    try runner.run(.versions(.entry(2)))
    guard case .versions(let page) = rig.state.pages.mode else { return #expect(Bool(false)) }
    #expect((page.index, page.count) == (2, 2))
    try runner.run(.version(2, 1))
    #expect(
      rig.take().contains {
        if case .versions(.opened(let page)) = $0 { page.index == 1 } else { false }
      })
  }

  @Test("a preview has the entry of now with its versions, and nothing of one that is gone")
  func preview() throws {
    let rig = try RunnerRig(["Bread", "Milk"])
    let runner = ReadRunner(rig.journal) { rig.send($0) }
    _ = try rig.journal.store.edit(1, text: "Bread and butter", expecting: nil)
    _ = rig.take()
    for (number, text, count) in [(1, "Bread and butter", 2), (2, "Milk", 1), (9, nil, 1)]
      as [(Int64, String?, Int)]
    {
      try runner.run(.preview(.entry(number)))
      guard case .reader(.previewed(let entry, let versions))? = rig.take().last else {
        return #expect(Bool(false), "\(number)")
      }
      #expect(entry?.text == text && versions == count, "\(number)")
    }
  }
}
