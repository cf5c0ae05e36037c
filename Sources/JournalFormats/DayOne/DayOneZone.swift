import Journal

/// The zones of Day One's entries, by name.
struct DayOneZone {
  private let find: (String) -> ZoneFile?
  private var known: [String: ZoneFile?] = [:]

  /// Makes zones of what finds a zone of the database.
  init(_ find: @escaping (String) -> ZoneFile?) {
    self.find = find
  }

  /// The offset of a zone at an instant, in seconds east of Greenwich; nothing for an unknown name.
  mutating func offset(of name: String, at seconds: Int64) -> Int? {
    if let zone = zone(name) { return zone.offset(at: seconds) }
    return DayOneZone.offset(of: name)
  }

  private mutating func zone(_ name: String) -> ZoneFile? {
    if let zone = known[name] { return zone }
    let zone = find(name)
    // A file may name a zone an entry; there are some 600.
    if known.count > 2000 { known = [:] }
    known[name] = zone
    return zone
  }

  /// `GMT+0100`, as Apple's systems name a zone that is an offset and nothing else.
  static func name(ofOffset offset: Int) -> String {
    guard offset != 0 else { return "GMT" }
    var buffer = Array("GMT\(offset < 0 ? "-" : "+")".utf8)
    ASCII.append(abs(offset) / 3600, width: 2, to: &buffer)
    ASCII.append(abs(offset) / 60 % 60, width: 2, to: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }

  /// The offset that such a name tells.
  static func offset(of name: String) -> Int? {
    guard name.hasPrefix("GMT") || name.hasPrefix("UTC") else { return nil }
    let digits = name.dropFirst(3)
    if digits.isEmpty { return 0 }
    // A date in front, and it is read as any other offset.
    guard case .date(_, _, let offset?) = DateText.read("2000-01-01 00:00\(digits)") else {
      return nil
    }
    return offset
  }
}
