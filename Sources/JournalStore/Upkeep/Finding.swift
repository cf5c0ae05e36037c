/// Something an examination found wrong with a journal, on one line.
package struct Finding: Hashable, Sendable {
  /// What takes it away.
  package enum Remedy: Hashable, Sendable {
    /// ``JournalDoctor/mend()``: it follows from other data that are sound, or is a setting.
    case mending
    /// ``JournalDoctor/salvage(to:)``: pages of the file make no sense, so nothing is written to it.
    case salvage
    /// A person must decide; the text says what.
    case person
  }

  /// What is wrong and where.
  package var text: String
  /// What takes it away.
  package var remedy: Remedy
  /// What a person should do, where the remedy is theirs.
  package var advice: String?

  /// Nothing is in the file.
  static let empty = Finding(
    "the file is empty; there is no journal in it", .person,
    advice: "put a copy in its place with daybook backup --restore, or remove it")

  /// The header says a version that the tables are not of.
  static func wrongVersion(_ version: Int32, lacksTables: Bool) -> Finding {
    Finding(
      "the header says schema version \(version), which the tables are not of",
      lacksTables ? .salvage : .mending)
  }

  /// What mends it, in the words of the command line; `nil` where a person must find that out.
  package var cure: String? {
    switch remedy {
    case .mending: "daybook doctor --fix mends it"
    case .salvage: "daybook doctor --salvage FILE saves what can be read"
    case .person: advice
    }
  }

  /// Makes a finding.
  package init(_ text: String, _ remedy: Remedy, advice: String? = nil) {
    self.text = text
    self.remedy = remedy
    self.advice = advice
  }
}

/// What an examination found.
package struct Examination: Hashable, Sendable {
  /// What is wrong, in the order of importance; empty for a sound journal.
  package var findings: [Finding]
  /// How many entries there are outside the trash, as far as they can be counted.
  package var entries: Int?
}
