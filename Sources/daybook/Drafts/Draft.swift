import Glibc
import Journal
import Synchronization

/// Written text that is not saved yet, in a directory of its own.
struct Draft: Equatable {
  /// The purpose of the text.
  enum Purpose: Equatable {
    case newEntry
    /// A new text of the entry with this permanent identity.
    case edit(uuid: String)
  }

  /// The name of the draft's directory; later drafts have larger names.
  var name: String
  var directory: String
  /// The purpose of the text.
  var purpose: Purpose
  /// The process that is writing it.
  var owner: ProcessStamp
  /// The journal of the text: its absolute path, or `:memory:`; `nil` in drafts of older versions,
  /// which belong to every journal.
  var journal: String?
  /// The fingerprint of the initial text in an editor, if that text is saved elsewhere: while the
  /// file has the same one, it contains nothing new.
  var base: UInt64?
  /// The checksum of the text that the edit of an entry began with: if the entry has another one when the
  /// draft is saved, somebody has changed it; `nil` in drafts of older versions.
  var edited: Int64?
  /// The entry's other fields.
  var entry = DraftEntry()
  /// Whether it is a file of a program, whose final line feed is not part of the text.
  var isFile = false
  /// The form of its file.
  var storage = Storage.readable

  /// The name of the file with the text.
  var file = Draft.usualFile

  /// The default name of the file, when no user sees it.
  static let usualFile = "entry.md"

  /// The path of the file with the text.
  var path: String { "\(directory)/\(storage.file ?? file)" }
}

extension Draft {
  /// The form of a draft's file.
  enum Storage: String {
    /// The bytes of the text; what it is for is in `meta`.
    case readable
    /// One file with both, sealed with the key of its journal.
    case sealed
    /// The same, sealed to the public key of a journal that was locked.
    case boxed

    /// The name of the sealed file; `nil` for a readable one.
    var file: String? { self == .readable ? nil : rawValue }
  }
}

extension Draft {
  /// The contents of the `meta` file beside the text; beside a sealed one it shows nothing of it.
  var meta: String {
    var lines = "owner \(owner.pid) \(owner.start)\n"
    if let journal { lines += "journal \(Self.escaped(journal))\n" }
    guard storage == .readable else { return lines + "storage \(storage.rawValue)\n" }
    if file != Self.usualFile { lines += "file \(Self.escaped(file))\n" }
    return description + lines
  }

  /// The purpose of the text, in lines.
  private var description: String {
    let kind =
      switch purpose {
      case .newEntry: "new"
      case .edit(let uuid): "edit \(uuid)"
      }
    var lines = "purpose \(kind)\n"
    if let base { lines += "base \(base)\n" }
    if let edited { lines += "edited \(edited)\n" }
    if isFile { lines += "form file\n" }
    return lines + entry.lines
  }

  /// The contents of a sealed file before sealing: what the text is for, an empty line, the text.
  func record(_ text: [UInt8]) -> [UInt8] { Array("\(description)\n".utf8) + text }

  /// Takes what the text of an opened file is for.
  ///
  /// - Returns: the text.
  mutating func take(record: [UInt8]) -> [UInt8] {
    var rest = record[...]
    while let end = rest.firstIndex(of: 0x0A), end > rest.startIndex {
      takeLine(String(decoding: rest[..<end], as: UTF8.self)[...])
      rest = rest[(end + 1)...]
    }
    return Array(rest.dropFirst())
  }

  /// Parses a `meta` file; by default a draft is a new entry without an owner.
  init(name: String, directory: String, meta: String) {
    self.init(
      name: name, directory: directory, purpose: .newEntry, owner: .nobody)
    for line in meta.split(separator: "\n") { takeLine(line) }
  }

  private mutating func takeLine(_ line: Substring) {
    let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
    if parts.count == 2 { take(parts[0], parts[1]) }
  }

  private mutating func take(_ field: String, _ value: String) {
    let words = value.split(separator: " ").map(String.init)
    if entry.take(field, value) { return }
    switch field {
    case "purpose" where words.count == 2 && words[0] == "edit": purpose = .edit(uuid: words[1])
    case "owner" where words.count == 2:
      guard let pid = Int32(words[0]), let start = UInt64(words[1]) else { return }
      owner = ProcessStamp(pid: pid, start: start)
    case "journal": journal = Self.unescaped(value)
    case "base": base = UInt64(value)
    case "edited": edited = Int64(value)
    case "form": isFile = value == "file"
    case "storage": storage = Storage(rawValue: value) ?? .readable
    // Never a file elsewhere, whatever the file contains.
    case "file" where !value.contains("/") && ![".", "..", "meta"].contains(value):
      file = Self.unescaped(value)
    default: break
    }
  }

  /// A path may contain a line feed; the file's lines must not.
  static func escaped(_ path: String) -> String {
    var escaped = ""
    for scalar in path.unicodeScalars {
      switch scalar {
      case "\n": escaped += "\\n"
      case "\\": escaped += "\\\\"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  static func unescaped(_ text: String) -> String {
    var path = ""
    var isEscape = false
    for scalar in text.unicodeScalars {
      if isEscape {
        path.unicodeScalars.append(scalar == "n" ? "\n" : scalar)
        isEscape = false
      } else if scalar == "\\" {
        isEscape = true
      } else {
        path.unicodeScalars.append(scalar)
      }
    }
    return path
  }

  /// A number that distinguishes contents of a file: FNV-1a, 64 bits.
  static func fingerprint(_ bytes: [UInt8]) -> UInt64 {
    UInt64(bitPattern: bytes.withUnsafeBufferPointer { Entry.checksum(of: $0) })
  }
}

/// The names of drafts: short, because an editor shows the path, and increasing with time.
///
/// A name is the milliseconds since 1970 in base 36, with nine characters until the year 5188. It
/// is larger than the version 7 UUIDs of older drafts: those begin with `01`.
enum DraftName {
  private static let last = Mutex<Int64>(0)

  /// Makes a name that is new in this process.
  static func make() -> String {
    name(
      at: last.withLock { last in
        last = max(last + 1, milliseconds())
        return last
      })
  }

  /// The name of a draft that was begun a number of milliseconds after 1970 began.
  static func name(at milliseconds: Int64) -> String {
    let digits = String(milliseconds, radix: 36)
    return String(repeating: "0", count: max(0, 9 - digits.count)) + digits
  }

  /// The name of the file in an editor: the entry's local date and time, `2026-11-22-0643.md`.
  ///
  /// It has no space, because many scripts around editors cannot handle one.
  static func file(written moment: Moment) -> String {
    let text = moment.description
    return "\(text.prefix(10))-\(text.dropFirst(11).prefix(2))\(text.dropFirst(14).prefix(2)).md"
  }

  private static func milliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}

/// The identity of a process, different from a later one with the same number.
struct ProcessStamp: Hashable {
  /// The process's number.
  var pid: Int32
  /// When it started, in clock ticks since the system started.
  var start: UInt64

  /// No process.
  static let nobody = ProcessStamp(pid: 0, start: 0)
  /// This process.
  static let current = ProcessStamp(running: getpid()) ?? ProcessStamp(pid: getpid(), start: 0)

  init(pid: Int32, start: UInt64) {
    self.pid = pid
    self.start = start
  }

  /// The stamp of a running process.
  init?(running pid: Int32) {
    guard let start = Self.start(of: pid) else { return nil }
    self.init(pid: pid, start: start)
  }

  /// Whether that process still runs.
  var isAlive: Bool { pid > 0 && Self.start(of: pid) == start }

  /// Whether it is another process, which still runs.
  var isOther: Bool { self != .current && isAlive }

  /// Field 22 of `/proc/PID/stat`; the second field may contain blanks, so fields count from its
  /// last `)`.
  private static func start(of pid: Int32) -> UInt64? {
    guard let bytes = DraftFile.read("/proc/\(pid)/stat", limit: 4096),
      let end = bytes.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    let fields = String(decoding: bytes[(end + 1)...], as: UTF8.self).split(separator: " ")
    // A zombie no longer writes, even if its parent has not noticed its end.
    guard fields.count > 19, fields[0] != "Z", fields[0] != "X" else { return nil }
    return UInt64(fields[19])
  }
}
