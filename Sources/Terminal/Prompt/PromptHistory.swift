import Files
import Glibc

/// The earlier answers of one kind of prompt, in a private file.
///
/// It holds commands and searches only, never the text of an entry. An answer that begins with a
/// space is not kept. The file is read at the first use, not earlier.
package final class PromptHistory {
  /// The maximum number of answers.
  package let limit: Int

  private let path: String?
  private var loaded: [String]?
  /// New answers that are not in the file yet.
  private var added: [String] = []

  /// Makes a history.
  ///
  /// - Parameters:
  ///   - path: The file; nil keeps the answers in memory only.
  ///   - limit: The maximum number of answers.
  package init(path: String?, limit: Int = 1_000) {
    self.path = path
    self.limit = limit
  }

  /// The answers without duplicates, oldest first.
  ///
  /// An unreadable file counts as empty here; ``save()`` reports the error.
  package var entries: [String] {
    if let loaded { return loaded }
    let read = path.flatMap { path in try? PromptHistoryFile(path: path).read() } ?? []
    loaded = read
    return read
  }

  /// Appends an answer; an equal one moves to the end.
  package func add(_ text: String) {
    guard !text.isEmpty, !text.hasPrefix(" "), !text.utf8.contains(0) else { return }
    loaded = Self.merge(entries, [text], limit: limit)
    added = Self.merge(added, [text], limit: limit)
  }

  /// Appends the new answers to those that other processes have written meanwhile.
  ///
  /// The file is replaced atomically, so that a power cut leaves the old or the new one. Does
  /// nothing without new answers.
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

/// A history file: one answer per line, with `\n` for a line feed and `\\` for a backslash.
///
/// Only its owner can read it. Links are not followed, and replacing it is atomic.
struct PromptHistoryFile {
  let path: String

  /// The maximum size of a file in bytes; larger files are not read, since no history is so large.
  private static let sizeLimit = 16 << 20

  /// The answers, oldest first; none if the file does not exist.
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
    try makeDirectories()
    do {
      try AtomicFile(path).write(Array(entries.map { Self.encode($0) }.joined()))
    } catch {
      throw .system(call: error.call, path: path, code: error.code)
    }
  }

  private var directory: String { Directory.of(path) }

  private func makeDirectories() throws(PromptHistoryError) {
    do {
      try Directory.make(directory)
    } catch {
      throw .system(call: error.call, path: error.path, code: error.code)
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

/// The reason why a history could not be read or written.
package enum PromptHistoryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path is not a regular file of this user: a link, a directory, or another user's file.
  case notOurFile(path: String)

  /// A system call failed.
  case system(call: String, path: String, code: Int32)

  /// One line with the error, the path and the consequence.
  ///
  /// The path is external text: pass the line through the sanitiser.
  package var description: String {
    switch self {
    case .notOurFile(let path):
      "\(path): not a plain file of yours; history not kept (move it away)"
    case .system(let call, let path, let code):
      "\(path): \(call): \(String(cString: strerror(code))); history not kept"
    }
  }
}
