/// The earlier answers of one kind of prompt, kept in a private file.
///
/// Only commands and searches belong here, never the text of an entry. An answer that begins with
/// a space is not kept. The file is read at the first use and never before.
public final class PromptHistory {
  /// The most answers kept.
  public let limit: Int

  private let path: String?
  private var loaded: [String]?
  /// What was added here and is not in the file yet.
  private var added: [String] = []

  /// Makes a history.
  ///
  /// - Parameters:
  ///   - path: The file, nil to keep the answers in memory only.
  ///   - limit: The most answers to keep.
  public init(path: String?, limit: Int = 1_000) {
    self.path = path
    self.limit = limit
  }

  /// The answers, oldest first, each once.
  ///
  /// A file that cannot be read counts as empty here; ``save()`` tells what is wrong with it.
  public var entries: [String] {
    if let loaded { return loaded }
    let read = path.flatMap { path in try? PromptHistoryFile(path: path).read() } ?? []
    loaded = read
    return read
  }

  /// Adds an answer at the end, from where an equal one moves.
  public func add(_ text: String) {
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
  public func save() throws(PromptHistoryError) {
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
