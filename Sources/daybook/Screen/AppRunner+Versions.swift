import Journal
import JournalStore
import Screen

extension AppRunner {
  /// Shows a version of an entry with what it changed in the one before; also of one in the trash.
  func showVersion(_ effect: Effect) throws {
    switch effect {
    case .showVersions(let target): try showVersion(of: actions.number(of: target), nil)
    case .showVersion(let number, let index): try showVersion(of: number, index)
    default: break
    }
  }

  private func showVersion(of number: Int64, _ index: Int?) throws {
    guard let entry = try store.entries([number]).first else { return send(.entryGone(number)) }
    let versions = try store.versions(number)
    guard let version = index.flatMap({ versions.dropFirst($0 - 1).first }) ?? versions.last else {
      return send(.entryGone(number))
    }
    let before = version.index > 1 ? versions[version.index - 2].text : version.text
    var page = VersionPage(
      number: number, index: version.index, count: versions.count, written: version.written,
      base: entry.checksum, isInTrash: entry.deleted != nil,
      difference: MarkedDifference(from: before, to: version.text), lines: 0)
    page.lines = renderer.layout(of: page, columns: state.size.columns).count
    send(.versionOpened(page))
  }
}
