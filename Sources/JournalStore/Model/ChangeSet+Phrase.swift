extension ChangeSet {
  /// A few words on the change, for "undone: …": `edit of "Bought bread"`, `delete of 3 entries`.
  public var phrase: String {
    let what = kind == .outside ? "another program's change" : kind.rawValue
    if count != 1 { return "\(what) of \(count) entries" }
    return title.isEmpty ? "\(what) of an entry" : "\(what) of \"\(title)\""
  }
}
