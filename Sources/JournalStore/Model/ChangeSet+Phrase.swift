extension ChangeSet {
  /// A few words on the change, for "undone: …": `edit of "Bought bread"`, `delete of 3 entries`.
  package var phrase: String {
    let what = kind == .outside ? "another program's change" : kind.rawValue
    if count != 1 { return "\(what) of \(count) entries" }
    let shown = title.count > Self.shownTitle ? title.prefix(Self.shownTitle - 1) + "…" : title
    return title.isEmpty ? "\(what) of an entry" : "\(what) of \"\(shown)\""
  }

  /// A title is known by its beginning; more of it would push everything else off a line.
  private static let shownTitle = 40
}
