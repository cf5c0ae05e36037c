import Glibc
import JournalStore
import JournalSync

// The exit codes of commands that end with an error of another module.

extension StoreError {
  var code: Failure.Code {
    switch category {
    case .notDone: .notDone
    case .badData: .badData
    case .missing: .noInput
    case .cannotCreate: .cannotCreate
    case .io: .inputOutput
    case .busy: .busy
    case .noPermission: .noPermission
    case .unusable: .notUsable
    }
  }
}

extension FileContentError {
  var code: Failure.Code {
    switch kind {
    case .system(ENOENT), .system(ENOTDIR): .noInput
    case .system(EACCES), .system(EPERM): .noPermission
    case .system, .changed: .inputOutput
    case .directory, .notRegular, .tooLarge: .badData
    }
  }
}

extension GitError {
  /// `nil` if the user cancelled it.
  var code: Failure.Code? {
    switch kind {
    case .badRemote: .usage
    case .notARepository, .corrupt, .tooNew: .badData
    case .gitMissing, .gitTooOld, .unreachable: .unavailable
    case .damaged, .storage, .failed: .inputOutput
    case .busy: .busy
    case .refused: .noPermission
    case .cancelled: nil
    }
  }
}

extension SyncError {
  var code: Failure.Code {
    switch kind {
    case .notAJournal, .otherJournal, .newerFormat: .badData
    case .busy: .busy
    case .sealedRemote, .readableRemote: .noPermission
    }
  }
}
