import Glibc
import Journal

/// A fault that an examination found in a journal, on one line.
package struct Finding: Hashable, Sendable {
  /// The remedy.
  package enum Remedy: Hashable, Sendable {
    /// ``JournalDoctor/repair()``: it is derived from sound data, or is a setting.
    case repair
    /// ``JournalDoctor/salvage(to:)``: pages of the file are inconsistent, so nothing is written to
    /// it.
    case salvage
    /// A person must decide; the text gives the decision.
    case person
  }

  /// The fault and its position.
  package var text: String
  package var remedy: Remedy
  /// The advice for a person, if the remedy needs one.
  package var advice: Sentence?

  /// The object of the schema at fault, if it is one.
  package var object: String?

  /// The file is empty.
  static let empty = Finding(
    "the file is empty; there is no journal in it", .person,
    advice: "restore a copy with \(command: "backup --restore"), or remove it")

  /// The version in the header does not match the tables.
  static func wrongVersion(_ version: Int32, lacksTables: Bool) -> Finding {
    Finding(
      "the header says schema version \(version), but the tables do not match it",
      lacksTables ? .salvage : .repair)
  }

  /// The remedy as a command line; `nil` if a person must decide.
  package var cure: Sentence? {
    switch remedy {
    case .repair: "\(command: "doctor --fix") repairs it"
    case .salvage: "\(command: "doctor --salvage FILE") saves all readable data"
    case .person: advice
    }
  }

  package init(
    _ text: String, _ remedy: Remedy, advice: Sentence? = nil, object: String? = nil
  ) {
    self.text = text
    self.remedy = remedy
    self.advice = advice
    self.object = object
  }
}

/// The result of an examination.
package struct Examination: Hashable, Sendable {
  /// The faults in the order of importance; none for a sound journal.
  package var findings: [Finding]
  /// The number of entries outside the trash, as far as they can be counted.
  package var entries: Int?
}

/// The faults around a journal's file: its permissions, and leftovers of killed processes.
struct FileSurroundings {
  let file: JournalFile
  let location: JournalLocation

  private var directory: String { JournalFile.directory(of: file.path) }

  /// The faults, most important first.
  func findings() -> [Finding] { interrupted() + outside() }

  /// The faults that can be repaired regardless of the file's contents.
  func outside() -> [Finding] { permissions() + leftovers() }

  /// Repairs them, as far as possible without opening the journal.
  func repair() {
    chmod(file.path, 0o600)
    if !location.isExplicit { chmod(directory, 0o700) }
    Leftovers.remove(beside: file.path)
    Sealing.removeLeftovers(beside: file.path)
  }

  private func interrupted() -> [Finding] {
    var findings: [Finding] = []
    if file.hasRollbackJournal {
      findings.append(
        Finding("a writer was interrupted; its rollback journal is still there", .repair))
    }
    if file.isInWriteAheadMode {
      findings.append(Finding("another program put it into write-ahead mode", .repair))
    }
    return findings
  }

  private func permissions() -> [Finding] {
    var status = stat()
    var findings: [Finding] = []
    if stat(file.path, &status) == 0 {
      if status.st_mode & 0o077 != 0 {
        findings.append(Finding("the file can be read by others (mode \(mode(status)))", .repair))
      }
      if status.st_uid != geteuid() {
        findings.append(
          Finding(
            "the file belongs to user \(status.st_uid)", .person, advice: "change it with chown"))
      }
    }
    if !location.isExplicit, stat(directory, &status) == 0, status.st_mode & 0o077 != 0 {
      findings.append(
        Finding("its directory is accessible to others (mode \(mode(status)))", .repair))
    }
    return findings
  }

  private func mode(_ status: stat) -> String {
    String(status.st_mode & 0o777, radix: 8)
  }

  private func leftovers() -> [Finding] {
    let name = JournalFile.name(of: file.path)
    return Leftovers.names(beside: file.path).map {
      Finding("\($0) was left by a process that has ended", .repair)
    }
      + Sealing.leftovers(beside: file.path).map {
        Finding(
          "\(JournalFile.name(of: $0)) was left by an interrupted seal or unseal, and may be readable",
          .repair)
      }
      + Leftovers.names(beside: file.path, ".restoring-").map {
        Finding(
          "\($0) was left by an interrupted restore", .person,
          advice: "compare it with \(name), then remove it")
      }
  }
}
