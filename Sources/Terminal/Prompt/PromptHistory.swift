import Files
import Glibc

/// The earlier answers of one kind of prompt, kept in a private file.
///
/// Only commands and searches belong here, never the text of an entry. An answer that begins with
/// a space is not kept. The file is read at the first use and never before.
package final class PromptHistory {
  /// The most answers kept.
  package let limit: Int

  private let path: String?
  private var loaded: [String]?
  /// What was added here and is not in the file yet.
  private var added: [String] = []

  /// Makes a history.
  ///
  /// - Parameters:
  ///   - path: The file, nil to keep the answers in memory only.
  ///   - limit: The most answers to keep.
  package init(path: String?, limit: Int = 1_000) {
    self.path = path
    self.limit = limit
  }

  /// The answers, oldest first, each once.
  ///
  /// A file that cannot be read counts as empty here; ``save()`` tells what is wrong with it.
  package var entries: [String] {
    if let loaded { return loaded }
    let read = path.flatMap { path in try? PromptHistoryFile(path: path).read() } ?? []
    loaded = read
    return read
  }

  /// Adds an answer at the end, from where an equal one moves.
  package func add(_ text: String) {
    guard !text.isEmpty, !text.hasPrefix(" "), !text.utf8.contains(0) else { return }
    loaded = Self.merge(entries, [text], limit: limit)
    added = Self.merge(added, [text], limit: limit)
  }

  /// Writes what was added, behind what other processes have written meanwhile.
  ///
  /// The new file is written beside the old one, made durable and renamed over it, so that a
  /// power cut leaves one or the other. Does nothing when nothing was added.
  ///
  /// - Throws: ``PromptHistoryError``; the answers are then still in memory.
  package func save() throws(PromptHistoryError) {
    guard let path, !added.isEmpty else { return }
    let file = PromptHistoryFile(path: path)
    let merged = Self.merge(try file.read(), added, limit: limit)
    try file.write(merged)
    loaded = merged
    added = []
  }

  private static func merge(_ old: [String], _ new: [String], limit: Int) -> [String] {
    let last = Set(new.map { Array($0.utf8) })
    return Array((old.filter { !last.contains(Array($0.utf8)) } + new).suffix(limit))
  }
}

/// A history on disk: one answer a line, a line feed in it as `\n`, a backslash as `\\`.
///
/// Readable by its owner only, never through a link, never half written.
struct PromptHistoryFile {
  let path: String

  /// Larger files are not read: no history of ours gets there.
  private static let sizeLimit = 16 << 20

  /// The answers, oldest first; none when there is no file.
  ///
  /// Lines that are not UTF-8 are skipped.
  func read() throws(PromptHistoryError) -> [String] {
    let bytes: [UInt8]
    do {
      bytes = try RegularFile.read(path, limit: Self.sizeLimit, isOwn: true)
    } catch {
      switch error {
      case .system("open", ENOENT), .system("open", ENOTDIR): return []
      case .system("open", ELOOP), .notRegular, .notOwn, .tooLong: throw .notOurFile(path: path)
      case .system(let call, let code): throw .system(call: call, path: path, code: code)
      }
    }
    return bytes.split(separator: 0x0A).compactMap(Self.decode)
  }

  /// Replaces the file.
  func write(_ entries: [String]) throws(PromptHistoryError) {
    try makeFolders()
    do {
      try AtomicFile(path).write(Array(entries.map { Self.encode($0) }.joined()))
    } catch {
      throw .system(call: error.call, path: path, code: error.code)
    }
  }

  private var folder: String { Directory.of(path) }

  private func makeFolders() throws(PromptHistoryError) {
    var made = path.hasPrefix("/") ? "" : "."
    for part in folder.split(separator: "/") {
      made += "/" + part
      if mkdir(made, 0o700) != 0, errno != EEXIST {
        // A folder above may be there and yet not writable (EROFS, EACCES on /).
        var status = stat()
        let code = errno
        guard stat(made, &status) == 0 else { throw .system(call: "mkdir", path: made, code: code) }
      }
    }
  }

  private static func encode(_ text: String) -> [UInt8] {
    var line: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x0A: line += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
      case UInt8(ascii: "\\"): line += [byte, byte]
      default: line.append(byte)
      }
    }
    return line + [0x0A]
  }

  private static func decode(_ line: ArraySlice<UInt8>) -> String? {
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in line {
      if isEscaped {
        bytes.append(byte == UInt8(ascii: "n") ? 0x0A : byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        bytes.append(byte)
      }
    }
    guard !bytes.contains(0) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}

/// Why a history could not be read or written.
package enum PromptHistoryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What stands at the path is not a file of ours: a link, a folder, someone else's file.
  case notOurFile(path: String)

  /// A call of the system failed.
  case system(call: String, path: String, code: Int32)

  /// One line that says what is wrong, where, and what to do.
  ///
  /// The path comes from outside: pass the line through the sanitiser.
  package var description: String {
    switch self {
    case .notOurFile(let path):
      "\(path): not a plain file of yours; history not kept (move it away)"
    case .system(let call, let path, let code):
      "\(path): \(call): \(String(cString: strerror(code))); history not kept"
    }
  }
}
