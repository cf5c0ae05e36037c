import Journal

/// Where a link leads.
package enum LinkDestination: Hashable, Sendable {
  /// The entry with this number.
  case entry(Int64)
  /// The entries of these days.
  case days(ClosedRange<Day>)
  /// Nothing: an entry of this title may be written.
  case nothing(title: String)
}

/// The name of a field with its values.
package struct FieldName: Hashable, Sendable {
  /// The folded name.
  package var key: String
  /// The name as typed.
  package var name: String
  /// The number of values of each kind, outside the trash.
  package var kinds: [FieldValue.Kind: Int]

  /// The number of values.
  package var count: Int { kinds.values.reduce(0, +) }
}

/// A value of a field in an entry outside the trash.
package struct FieldRow: Hashable, Sendable {
  /// The entry's number.
  package var number: Int64
  /// The day of the entry.
  package var day: Day
  package var value: FieldValue
}

extension EntryStore {
  /// Where a link in an entry leads, and for a title that no entry has, nowhere.
  ///
  /// - Parameter number: the entry with the link; 0 for a text that is not saved, whose links lead to the
  ///   latest entries of their titles.
  package func destination(of link: Link, in number: Int64) throws -> LinkDestination {
    if case .days(let days) = Link.target(ofKey: link.key) { return .days(days) }
    return try inspect { try $0.destination(of: link.key, from: number) }.map { .entry($0) }
      ?? .nothing(title: link.target)
  }

  /// The entries of the title that a link names, the newest first; none for a day or a month.
  package func namesakes(_ link: Link, limit: Int) throws -> [FoundTitle] {
    try inspect { reader in
      let entries = try reader.holders(of: link.key).compactMap { try reader.entry(number: $0) }
      return entries.sorted { ($1.created.seconds, $1.number) < ($0.created.seconds, $0.number) }
        .prefix(limit).map { FoundTitle(number: $0.number, title: $0.title, day: $0.day) }
    }
  }

  /// The entries whose links lead to an entry, in the order of their numbers.
  ///
  /// As a live list they are the request with the filter ``Query/linksTo(_:)``.
  package func sources(leadingTo number: Int64) throws -> [Int64] {
    try inspect { try $0.sources(leadingTo: number) }
  }

  /// The titles that links can name and that contain typed letters in their order, the best match first;
  /// without letters those of the newest entries.
  package func linkableTitles(matching typed: String, limit: Int) throws -> [FoundTitle] {
    var keys: Set<String> = []
    return try titles(matching: typed, limit: limit).compactMap { found in
      guard let target = Link.targets(naming: found.title).first,
        keys.insert(Link.key(of: target)).inserted
      else { return nil }
      var named = found
      named.title = target
      return named
    }
  }

  /// The links that lead to an entry, also its own ones.
  package func uses(leadingTo number: Int64) throws -> [LinkUse] {
    try inspect { reader in
      try (reader.sources(leadingTo: number) + [number]).flatMap { source -> [LinkUse] in
        guard let text = try reader.entry(number: source)?.text else { return [] }
        return try Set(Link.all(in: text).map(\.key)).filter {
          try reader.destination(of: $0, from: source) == number
        }.map { LinkUse(number: source, key: $0) }
      }
    }
  }

  /// The links among some that do not lead to an entry.
  package func uses(_ uses: [LinkUse], notLeadingTo number: Int64) throws -> [LinkUse] {
    try inspect { reader in
      try uses.filter { try reader.destination(of: $0.key, from: $0.number) != number }
    }
  }

  /// The links among some that can name an entry by its present title, which another entry may have, too.
  package func uses(_ uses: [LinkUse], ableToLeadTo number: Int64) throws -> [LinkUse] {
    try inspect { reader in
      let title = try reader.entry(number: number)?.title ?? ""
      return try uses.filter {
        try reader.target(naming: title, of: number, from: $0.number) != nil
      }
    }
  }

  /// Changes links so that they name the present title of an entry, as one step.
  ///
  /// A link that would lead to another entry of that title stays as it is. One to the former title that another
  /// program wrote since, and that leads nowhere, is changed, too.
  ///
  /// - Parameters:
  ///   - uses: links that led to the entry before its title changed.
  ///   - step: the step that changed the title, of which this becomes a part if it is still the last one.
  /// - Returns: the numbers of the entries whose links changed.
  /// - Throws: ``StoreError``; ``StoreError/Kind/invalidText`` for a title that no link can name.
  package func redirect(
    _ uses: [LinkUse], to number: Int64, joining step: ChangeSet.ID? = nil,
    _ options: BulkOptions = BulkOptions()
  ) throws -> [Int64] {
    try change(.edit) { writer in
      if let step { writer.join(step) }
      let title = try writer.existing(number).title
      guard !Link.targets(naming: title).isEmpty else {
        throw StoreError(
          .invalidText, at: path,
          "no link can name this title: brackets, \"|\" and \"#\" inside a word end the name")
      }
      var changed: [Int64] = []
      let since = try Set(uses.map(\.key)).filter { try writer.isBroken($0) }.flatMap { key in
        try writer.sources(of: key).map { LinkUse(number: $0, key: key) }
      }
      let sources = Dictionary(grouping: uses + since, by: \.number).sorted { $0.key < $1.key }
      for (index, (source, uses)) in sources.enumerated() {
        try options.progress?(index, sources.count)
        guard let entry = try writer.entry(number: source), entry.deleted == nil,
          let target = try writer.target(naming: title, of: number, from: source)
        else { continue }
        let keys = Set(uses.map(\.key))
        let text = Link.text(replacingTargetsIn: entry.text) {
          keys.contains($0.key) ? target : nil
        }
        guard !text.isSame(as: entry.text) else { continue }
        try check(text)
        if try writer.rewrite(entry, clock, { $0.text = text }) != nil { changed.append(source) }
      }
      try options.progress?(sources.count, sources.count)
      return changed
    }
  }

  /// The names of fields in use with their values, by key.
  package func fieldNames() throws -> [FieldName] { try inspect { try $0.fieldNames() } }

  /// The fields that a query of this journal may name.
  package var textFields: TextFields {
    .keys { (try? self.inspect { try $0.fieldKeys() }) ?? [] }
  }

  /// The values of a field that begin with typed letters, as they may be typed, the most used first.
  package func fieldValues(named name: String, beginningWith typed: String) throws -> [String] {
    try inspect { reader in
      var counts: [String: Int] = [:]
      try reader.forEachField(named: Folding.fold(name)) { row in
        counts[row.value.description, default: 0] += 1
      }
      let start = Folding.fold(typed)
      return counts.filter { Folding.fold($0.key).utf8.starts(with: start.utf8) }
        .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    }
  }

  /// The unit that most values of a field have, in the entries of a query; `nil` if none of them is a number
  /// or a duration.
  package func fieldUnit(_ name: String, matching query: Query? = nil) throws -> FieldUnit? {
    try inspect { reader in
      let numbers = try query.map { Set(try reader.numbers(matching: $0)) }
      var values: [FieldValue] = []
      try reader.forEachField(named: Folding.fold(name)) { row in
        if numbers?.contains(row.number) ?? true { values.append(row.value) }
      }
      return .most(of: values)
    }
  }

  /// The sums of a field in some entries, such as those of a section on the screen, by a look-up for each.
  package func statistics(ofField name: String, among numbers: [Int64]) throws -> FieldStatistics {
    let key = Folding.fold(name)
    return try inspect { reader in
      FieldStatistics(
        try numbers.flatMap { try reader.fields(of: $0, named: key).map { ($0.day, $0.value) } })
    }
  }

  /// The sums of a field in the entries that a query matches.
  package func statistics(
    ofField name: String, matching query: Query? = nil, by grouping: Grouping? = nil
  ) throws -> FieldStatistics {
    try inspect { reader in
      let numbers = try query.map { Set(try reader.numbers(matching: $0)) }
      var values: [(day: Day, value: FieldValue)] = []
      try reader.forEachField(named: Folding.fold(name)) { row in
        if numbers?.contains(row.number) ?? true { values.append((row.day, row.value)) }
      }
      var statistics = FieldStatistics(values, by: grouping)
      if values.isEmpty { statistics.meant = try reader.fieldsMeant(by: name) }
      return statistics
    }
  }
}

extension EntryReading {
  /// The fields in use whose names may be meant by one that no entry has; `nil` for one that is in use.
  fileprivate func fieldsMeant(by name: String) throws -> [String]? {
    let key = Folding.fold(name)
    let names = try fieldNames()
    guard !names.contains(where: { $0.key.isSame(as: key) }) else { return nil }
    let nearest = Suggestion.nearest(to: key, among: names.map(\.key), limit: 3)
    return nearest.compactMap { key in names.first { $0.key.isSame(as: key) }?.name }
  }

  /// The shortest target of a link in an entry that leads to the entry of a title; `nil` if none does.
  func target(
    naming title: String, of number: Int64, from source: Int64
  ) throws -> String? {
    try Link.targets(naming: title).first {
      try destination(of: Link.key(of: $0), from: source) == number
    }
  }
}
