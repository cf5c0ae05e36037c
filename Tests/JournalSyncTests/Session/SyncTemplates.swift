import Foundation
import Glibc
import Synchronization

/// Rigs at their beginning, made once for a run and copied for each case: a rig costs a dozen starts
/// of git.
enum SyncTemplates {
  private static let made = Mutex<[String: SyncRig.Template]>([:])

  /// A copy of the rig with a name.
  ///
  /// - Parameter make: makes it at the first time.
  static func rig(_ name: String, _ make: () throws -> SyncRig) throws -> SyncRig {
    let template = try made.withLock { made in
      if let template = made[name] { return template }
      // The directories of templates live as long as the process.
      if made.isEmpty { atexit { SyncTemplates.made.withLock { $0 = [:] } } }
      let template = try make().template()
      made[name] = template
      return template
    }
    return try SyncRig(template)
  }
}
