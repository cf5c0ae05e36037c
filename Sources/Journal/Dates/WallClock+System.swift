import Glibc

extension WallClock {
  /// The computer's clock in the zone of `TZ`, or of `/etc/localtime` when that is not set.
  ///
  /// The zone is read once, the first time this clock is used.
  public static let system: WallClock = {
    tzset()
    return WallClock(
      now: { Int64(time(nil)) },
      offset: { seconds in
        var instant = time_t(seconds)
        var fields = tm()
        return localtime_r(&instant, &fields) == nil ? 0 : fields.tm_gmtoff
      },
      isZoneKnown: {
        guard let zone = getenv("TZ") else { return true }
        return ZoneName.isKnown(String(cString: zone))
      })
  }()
}

/// Zone names as the C library understands them in `TZ`.
///
/// It takes an unknown name for UTC without a word, so we look ourselves.
enum ZoneName {
  /// Whether a value of `TZ` names a zone: a file of the zone database, or a rule such as `CET-1`.
  static func isKnown(_ value: String) -> Bool {
    let name = value.hasPrefix(":") ? String(value.dropFirst()) : value
    if name.isEmpty || name == "UTC" || name == "GMT" || isRule(name) { return true }
    return isFile(name.hasPrefix("/") ? name : "\(folder)/\(name)")
  }

  private static var folder: String {
    getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"
  }

  private static func isFile(_ path: String) -> Bool {
    var info = stat()
    return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG
  }

  /// Whether a name is a POSIX rule: an abbreviation of three letters or more, or anything in angle
  /// brackets, then an offset.
  private static func isRule(_ name: String) -> Bool {
    var rest = Substring(name)
    if rest.first == "<" {
      guard let end = rest.firstIndex(of: ">") else { return false }
      rest = rest[rest.index(after: end)...]
    } else {
      let letters = rest.prefix { $0.isASCII && $0.isLetter }
      guard letters.count >= 3 else { return false }
      rest = rest[letters.endIndex...]
    }
    if let sign = rest.first, "+-".contains(sign) { rest = rest.dropFirst() }
    return rest.first.map { ("0"..."9").contains($0) } ?? false
  }
}
