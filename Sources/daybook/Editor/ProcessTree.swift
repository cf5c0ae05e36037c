import Glibc

/// A process with all that it started, as far as they still know their parents.
///
/// A signal to the shell that runs the user's editor does not reach the editor, and a process group of
/// its own would need the terminal handed over and back.
enum ProcessTree {
  /// Sends a signal to a process and everything below it.
  static func signal(_ process: pid_t, _ number: Int32) {
    // Looked up before anybody dies: orphans belong to someone else.
    let all = [process] + descendants(of: process)
    for member in all { kill(member, number) }
  }

  /// The processes below another one, those nearest to it first.
  static func descendants(of process: pid_t) -> [pid_t] {
    let parents = DraftFile.names(in: "/proc").compactMap { pid_t($0) }.compactMap { member in
      parent(of: member).map { (member, $0) }
    }
    var found: [pid_t] = []
    var layer: Set<pid_t> = [process]
    while !layer.isEmpty {
      let next = parents.filter { layer.contains($0.1) }.map(\.0)
      found += next
      layer = Set(next)
    }
    return found
  }

  /// The fourth field of `/proc/PID/stat`; the second one may hold blanks and parentheses.
  private static func parent(of process: pid_t) -> pid_t? {
    guard let bytes = DraftFile.read("/proc/\(process)/stat", limit: 4_096),
      let end = bytes.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "))
    return fields.count > 1 ? pid_t(String(decoding: fields[1], as: UTF8.self)) : nil
  }
}
