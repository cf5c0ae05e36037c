// The example of the article on snapshots. A test checks that the article contains the lines between the
// markers unchanged.

import SectionedResults

// snapshots:begin
/// A list of tags without a store: those used lately, then all others.
final class TagChooser {
  private var source = SnapshotSource<String>()
  private(set) var list = SectionedList()

  init() throws {
    var snapshot = SectionedSnapshot<String>()
    try snapshot.appendSections(["used", "all"])
    try snapshot.appendRows(["work", "home", "travel"], toSection: "all")
    try show(snapshot)
  }

  func add(_ tag: String) throws {
    var next = source.snapshot
    try next.appendRows([tag], toSection: "all")
    try show(next)
  }

  func use(_ tag: String) throws {
    var next = source.snapshot
    if let first = next.sections[0].rows.first {
      try next.moveRow(tag, before: first)
    } else {
      try next.moveRow(tag, toEndOfSection: "used")
    }
    try show(next)
  }

  private func show(_ snapshot: SectionedSnapshot<String>) throws {
    if let batch = source.apply(snapshot) { try list.apply(batch) }
  }

  var lines: [String] { source.snapshot.sections.flatMap { [$0.key] + $0.rows.map { "  \($0)" } } }
}
// snapshots:end
