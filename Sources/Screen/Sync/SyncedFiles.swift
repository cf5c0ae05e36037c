import Journal

/// Which files a synchronisation receives; the others stay in the repository until somebody opens them.
package enum SyncedFiles: Hashable, Codable, Sendable {
  case all
  case none
  /// Files of fewer bytes.
  case below(Int)

  /// The valid words, for messages.
  package static let wanted = "\"all\", \"none\" or \"below 5M\""

  /// Parses the words of a configuration; `nil` for others.
  package init?(_ words: String) {
    let parts = words.split(separator: " ")
    if parts == ["all"] {
      self = .all
    } else if parts == ["none"] {
      self = .none
    } else if parts.count == 2, parts[0] == "below", let size = FileTest.bytes(String(parts[1])) {
      self = .below(Int(clamping: size))
    } else {
      return nil
    }
  }

  /// The words of a configuration.
  package var words: String {
    switch self {
    case .all: "all"
    case .none: "none"
    case .below(let size): "below \(Self.text(size))"
    }
  }

  /// The number of bytes from which a file stays in the repository; `nil` for none.
  package var limit: Int? {
    switch self {
    case .all: nil
    case .none: 0
    case .below(let size): size
    }
  }

  private static func text(_ size: Int) -> String {
    for (unit, factor) in [("G", 1_000_000_000), ("M", 1_000_000), ("k", 1_000)]
    where size >= factor && size % factor == 0 { return "\(size / factor)\(unit)" }
    return "\(size)"
  }
}
