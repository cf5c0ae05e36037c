import Journal
import JournalStore
import Screen

/// The links that lead to an entry whose title changes, and the question whether they change with it.
struct LinksToTitle {
  private let store: any EntryStore
  private let number: Int64
  private let title: String
  private let uses: [LinkUse]

  /// Finds the links before the change; none if the title stays.
  ///
  /// - Parameter title: the new title; `nil` if it is not known yet.
  init(of entry: Entry, losing title: String?, in store: any EntryStore) throws {
    (self.store, number, self.title) = (store, entry.number, entry.title)
    let isKept = title.map { Link.key(of: $0) == Link.key(of: entry.title) } ?? false
    uses = isKept ? [] : try store.uses(leadingTo: entry.number)
  }

  /// The links that lead elsewhere, or nowhere, after the change.
  func lost() throws -> [LinkUse] {
    guard !uses.isEmpty else { return [] }
    // The text with the new title may have other links than before.
    let own = Set(Link.all(in: try store.entry(number).text).map(\.key))
    return try store.uses(
      uses.filter { $0.number != number || own.contains($0.key) }, notLeadingTo: number)
  }

  /// Asks about the lost links, in the news of the change.
  func ask(with saved: inout Saved) throws {
    let lost = try lost()
    guard !lost.isEmpty else { return }
    let able = try store.uses(lost, ableToLeadTo: number)
    let entries = Set((able.isEmpty ? lost : able).map(\.number)).count
    let subject = Numbers.counted(entries, "entry links", "entries link")
    guard !able.isEmpty else {
      let isNamed = try !Link.targets(naming: store.entry(number).title).isEmpty
      let reason = isNamed ? "another entry has this one" : "no link can name this one"
      saved.text += "; \(subject) to its former title, and \(reason)"
      return
    }
    let plain = Entry.plainTitle(of: title)
    let shown = plain.count > 30 ? "\(plain.prefix(29))…" : plain
    // A link that would lead to another entry of the new title stays.
    let others = Set(lost.map(\.number)).subtracting(able.map(\.number)).count
    let rest = others == 0 ? "" : " (\(Numbers.grouped(others)) more cannot name it)"
    saved.question = Question(
      "\(subject) to \"\(shown)\"\(rest); change the links too? y/N",
      effect: .change(
        .redirect(able, to: number, joining: try store.pendingSteps(.session).undo?.id)),
      refusal: "\(saved.text); links stay as they are")
  }
}

extension EntryActions {
  /// Changes links so that they name the present title of an entry.
  ///
  /// - Parameter step: the step that changed the title.
  func redirect(
    _ uses: [LinkUse], to number: Int64, joining step: ChangeSet.ID?, _ options: BulkOptions
  ) throws -> Saved {
    let store = present ?? self.store
    let changed = try store.redirect(uses, to: number, joining: step, options)
    guard !changed.isEmpty else { return Saved("no link leads to the former title any more") }
    let isJoined = try step != nil && store.pendingSteps(.session).undo?.id == step
    let place = present == nil ? "" : "in the present "
    return Saved(
      "changed links in \(Numbers.entries(changed.count)); \(place)u undoes "
        + (isJoined ? "them and the title" : "it"))
  }
}
