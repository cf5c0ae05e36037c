import Journal

extension EntryReading {
  /// The targets that the texts of the journal and its open conflicts name, and whether it has their files:
  /// what synchronisation sends and receives.
  ///
  /// - Complexity: linear in the number of links to files, and of conflicts.
  package func namedTargets() throws -> [String: Bool] {
    var targets = try textTargets()
    for link in try conflictLinks() where targets[link.target] == nil {
      targets[link.target] = try file(link.target) != nil
    }
    return targets
  }

  /// The link of a text, or of an open conflict, that names a target; `nil` if none does.
  package func link(naming target: String) throws -> FileLink? {
    if let entry = try entry(naming: target),
      let link = FileLink.all(in: entry.text).first(where: { $0.target == target })
    {
      return link
    }
    return try conflictLinks().first { $0.target == target }
  }

  private func conflictLinks() throws -> [FileLink] {
    let trash = Query.and([.flag(.deleted), .flag(.conflict)])
    let numbers = try numbers(matching: .flag(.conflict)) + numbers(matching: trash)
    return try numbers.flatMap { number -> [FileLink] in
      guard let entry = try entry(number: number) else { return [] }
      return try conflicts(of: entry).flatMap { FileLink.all(in: $0) }
    }
  }
}

extension EntryStore {
  /// Runs `body` in one transaction that adds files which texts of the journal name already; it makes no
  /// change set.
  ///
  /// - Throws: the errors of `body`; then nothing is kept.
  package func receivingFiles<Value>(_ body: (SyncWriting) throws -> Value) throws -> Value {
    try change(.sync) { try body(SyncWriting($0)) }
  }
}

extension SyncWriting {
  /// The journal with the changes so far.
  package var reading: any EntryReading { writer }

  /// Begins to add a file that a text of the journal names.
  ///
  /// - Throws: ``StoreError``.
  package func beginFile(named name: String) throws -> ArrivingFile {
    try writer.beginFile(named: name)
  }
}
