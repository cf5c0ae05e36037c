import Glibc

/// What is wrong around a journal's file: who may read it, and what killed processes left beside it.
struct FileSurroundings {
  let file: JournalFile
  let location: JournalLocation

  private var folder: String { JournalFile.folder(of: file.path) }

  /// What is wrong, most important first.
  func findings() -> [Finding] { interrupted() + outside() }

  /// What is wrong that can be made right whatever is in the file.
  func outside() -> [Finding] { permissions() + leftovers() }

  /// Makes it right, as far as that is possible without opening the journal.
  func mend() {
    chmod(file.path, 0o600)
    if !location.isExplicit { chmod(folder, 0o700) }
    Leftovers.remove(beside: file.path)
  }

  private func interrupted() -> [Finding] {
    var findings: [Finding] = []
    if file.hasRollbackJournal {
      findings.append(
        Finding("a writer was interrupted; its rollback journal is still there", .mending))
    }
    if file.isInWriteAheadMode {
      findings.append(Finding("another tool put it into write-ahead mode", .mending))
    }
    return findings
  }

  private func permissions() -> [Finding] {
    var status = stat()
    var findings: [Finding] = []
    if stat(file.path, &status) == 0 {
      if status.st_mode & 0o077 != 0 {
        findings.append(Finding("the file can be read by others (mode \(mode(status)))", .mending))
      }
      if status.st_uid != geteuid() {
        findings.append(
          Finding(
            "the file belongs to user \(status.st_uid)", .person, advice: "chown gives it back"))
      }
    }
    if !location.isExplicit, stat(folder, &status) == 0, status.st_mode & 0o077 != 0 {
      findings.append(
        Finding("its folder can be entered by others (mode \(mode(status)))", .mending))
    }
    return findings
  }

  private func mode(_ status: stat) -> String {
    String(status.st_mode & 0o777, radix: 8)
  }

  private func leftovers() -> [Finding] {
    let name = JournalFile.name(of: file.path)
    return Leftovers.names(beside: file.path).map {
      Finding("\($0) was left by a process that is gone", .mending)
    }
      + Leftovers.names(beside: file.path, ".restoring-").map {
        Finding(
          "\($0) was left by an interrupted restore", .person,
          advice: "compare it with \(name), then remove it")
      }
  }
}
