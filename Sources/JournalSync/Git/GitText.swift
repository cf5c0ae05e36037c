import Journal

/// Texts that git and a remote write for people: lines, progress, and their meaning.
enum GitText {
  /// Whether a scalar could drive a terminal or reorder a line: controls and bidirectional signs.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// A line without what could drive a terminal, and of a bounded length.
  static func clean(_ bytes: some Collection<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    for scalar in String(decoding: bytes.prefix(longestLine), as: UTF8.self).unicodeScalars {
      text.append(isControl(scalar) ? " " : scalar)
    }
    let words = String(text).split(separator: " ")
    return words.joined(separator: " ")
  }

  /// The longest line that is kept, in bytes; a remote may send one without an end.
  static let longestLine = 1_000

  /// The meaning of git's messages, the more certain ones first: a cut connection also makes the
  /// received pack invalid, and a refusal also ends the connection.
  private static let meanings: [(GitError.Kind, [String])] = [
    (.storage, ["no space left on device", "disk quota exceeded", "read-only file system"]),
    (.corrupt, ["possible repository corruption"]),
    // Git's message when the connection ends before the pack.
    (.unreachable, ["bad pack header"]),
    (
      .tooNew,
      [
        "mismatched algorithms", "unknown repository extension", "expected git repo version",
        "unknown object format", "unsupported protocol version", "unknown hash algorithm",
      ]
    ),
    (
      .corrupt,
      [
        "sha1 collision", "unresolved delta", "pack is corrupted",
        "pack has bad object",
        "inflate returned", "did not send all necessary objects", "pack signature mismatch",
        "wrong pack file", "fsck error", "failed to apply delta",
        "unpack-objects died of signal 11", "index-pack died of signal 11",
        "rev-list died of signal 11", "in fsck", "garbage at end of pack",
        "bad pack", "inconsistency", "packfile claims", "wrong index", "is not allowed: '",
        "bad line length", "protocol error", "expected old/new/ref", "invalid server response",
        "missing tree", "missing blob",
      ]
    ),
    (
      .unreachable,
      [
        "early eof", "unexpected disconnect", "broken pipe", "curl 18", "curl 56", "curl 52",
        "could not resolve host", "name or service not known", "connection refused",
        "connection timed out", "connection reset", "network is unreachable", "no route to host",
        "failed to connect", "unable to connect", "couldn't connect", "operation timed out",
        "temporary failure in name resolution", "unable to look up", "empty reply from server",
        "could not connect", "connection closed by", "returned error: 50", "returned error: 429",
      ]
    ),
    (
      .refused,
      [
        "permission denied", "authentication failed", "could not read username",
        "could not read password", "terminal prompts disabled", "host key verification failed",
        "returned error: 401", "returned error: 403", "access denied", "dubious ownership",
        "service not enabled", "not authorized", "insufficient permission", "unpacker error",
        "remote rejected", "too many authentication failures", "no such identity",
        "ssl certificate",
        "certificate verification", "server certificate", "transport 'ext' not allowed",
        "transport '", "not exported", "write access",
      ]
    ),
    (
      .notARepository,
      [
        "does not appear to be a git repository", "not a git repository", "repository not found",
        "' not found", "is this a git repository", "returned error: 404", "returned error: 410",
      ]
    ),
    (
      .unreachable,
      [
        "the remote end hung up", "could not read from remote repository", "unable to access",
        "rpc failed", "fetch-pack: invalid index-pack output", "hung up", "expected flush",
        "expected '",
      ]
    ),
    (
      .corrupt,
      ["fsck", "index-pack failed", "unpack-objects failed", "corrupt", "died of signal 11"]
    ),
  ]

  /// The kind of a failure of the transport; `failed` for unknown messages.
  static func kind(of lines: [String]) -> GitError.Kind {
    let text = lines.joined(separator: "\n").lowercased()
    for (kind, patterns) in meanings where patterns.contains(where: text.contains) { return kind }
    return .failed
  }

  /// Whether a disk is full: this one, or that of the remote.
  static func isDiskFull(_ lines: [String]) -> Bool {
    let text = lines.joined(separator: "\n").lowercased()
    return ["no space left on device", "disk quota exceeded"].contains(where: text.contains)
  }

  /// Advice for messages of git that are not about the permissions of the user.
  private static let remedies = [
    ("no space left on device", "free some space there"),
    ("disk quota exceeded", "free some space there"),
    ("read-only file system", "mount it so that it can be written"),
    (
      "unable to create temporary object directory",
      "check its permissions, and that it is not mounted read-only"
    ),
    (
      "dubious ownership",
      "if you trust it: git config --global --add safe.directory DIRECTORY"
    ),
    (".lock': file exists", "if no git is at work there, remove that .lock file"),
    ("host key verification failed", "connect once with ssh, so that it knows the host"),
  ]

  /// Advice for messages of git; `nil` if the kind of the failure says all.
  static func advice(for lines: [String]) -> String? {
    let text = lines.joined(separator: "\n").lowercased()
    return remedies.first { text.contains($0.0) }?.1
  }

  /// The most useful line: the first of git's errors that says more than that one came before.
  ///
  /// The last lines of a failed connection are general advice.
  static func mostUseful(of lines: [String]) -> String? {
    let general = [
      "fatal: the remote end hung up", "please make sure you have the correct access rights",
      "and the repository exists.", "fatal: could not read from remote repository",
      "fatal: index-pack failed", "fatal: fetch-pack: invalid index-pack output",
      "error: failed to push some refs", "to ", "from ", "hint: ", "warning: ", "done",
      "fatal: early eof",
    ]
    let telling = lines.filter { line in
      let lower = line.lowercased()
      return !general.contains { lower.hasPrefix($0) }
    }
    let errors = telling.filter { line in
      ["fatal: ", "error: ", "! ["].contains { line.contains($0) }
    }
    guard let line = errors.last ?? telling.last ?? lines.last else { return nil }
    // `fatal: unable to connect to HOST:` has its reason on the next line.
    guard line.hasSuffix(":"), let next = lines.drop(while: { $0 != line }).dropFirst().first else {
      return line
    }
    return line + " " + next
  }
}

extension GitProgress {
  /// Git's titles.
  private static let titles: [(String, Phase)] = [
    ("Enumerating objects", .preparing), ("Counting objects", .preparing),
    ("Compressing objects", .preparing), ("Receiving objects", .receiving),
    ("Unpacking objects", .receiving), ("Resolving deltas", .checking),
    ("Indexing objects", .checking), ("Checking connectivity", .checking),
    ("Checking objects", .checking), ("Writing objects", .sending),
    ("Delta compression using", .preparing), ("Finding sources", .preparing),
  ]

  /// Reads a line such as `remote: Counting objects:  12% (3/25)`; nil for any other.
  package static func read(_ line: String) -> GitProgress? {
    var rest = Substring(line)
    if rest.hasPrefix("remote: ") { rest = rest.dropFirst(8) }
    guard let (title, phase) = Self.titles.first(where: { rest.hasPrefix($0.0) }) else {
      return nil
    }
    var progress = GitProgress(phase)
    rest = rest.dropFirst(title.count).drop { $0 == ":" || $0 == " " }
    // Either `12% (3/25)` or a bare count.
    let numbers = rest.drop { $0 != "(" }.dropFirst().prefix { $0 != ")" }
    let parts = numbers.split(separator: "/")
    if parts.count == 2, let done = Int(parts[0]), let total = Int(parts[1]), total > 0 {
      progress.done = done
      progress.total = total
    } else if let done = Int(rest.prefix(while: \.isNumber)) {
      progress.done = done
    }
    return progress
  }
}
