import Glibc

extension ZoneFile {
  /// The zone of a name such as `Australia/Sydney`, from the computer's zone database; nothing when it
  /// has none of that name.
  ///
  /// - Complexity: reads a file of a few kilobytes.
  public static func named(_ name: String) -> ZoneFile? {
    guard isName(name) else { return nil }
    let folder = getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"
    return contents(of: "\(folder)/\(name)").flatMap(ZoneFile.init)
  }

  /// The bytes of a file, at most so many as the longest zone has many times over.
  private static func contents(of path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let limit = 1 << 18
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      while count < limit {
        let size = read(file, buffer.baseAddress.map { $0 + count }, limit - count)
        if size > 0 { count += size } else if size == 0 || errno != EINTR { break }
      }
    }
    return bytes.isEmpty ? nil : bytes
  }
}
