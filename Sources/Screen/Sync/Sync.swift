import Journal

/// When the screen synchronises by itself.
package struct AutoSync: Equatable, Codable, Sendable {
  /// When the journal is opened.
  package var atStart = false
  /// After so many seconds without a key, and again after each such time; `nil` for never.
  package var idleSeconds: Int?
  /// When the program ends, which does not wait for it.
  package var atQuit = false

  /// The valid words, for messages.
  package static let wanted =
    "a list of \"start\", \"idle 5m\" (at least \(leastIdle)s) and \"quit\""
  /// The shortest idle time, in seconds: each one starts a program.
  private static let leastIdle = 10

  package init() {}

  /// Parses the words of a configuration; `nil` for an unknown one.
  package init?(_ words: [String]) {
    for word in words {
      let parts = word.split(separator: " ")
      if parts == ["start"] {
        atStart = true
      } else if parts == ["quit"] {
        atQuit = true
      } else if parts.count == 2, parts[0] == "idle", let seconds = Self.seconds(parts[1]) {
        idleSeconds = seconds
      } else {
        return nil
      }
    }
  }

  /// The words that ``init(_:)`` reads.
  package var words: [String] {
    let idle = idleSeconds.map { "idle " + ($0 % 60 == 0 ? "\($0 / 60)m" : "\($0)s") }
    return (atStart ? ["start"] : []) + [idle].compactMap(\.self) + (atQuit ? ["quit"] : [])
  }

  private static func seconds(_ text: Substring) -> Int? {
    guard let unit = text.last, let count = Int(text.dropLast()), 1...9_999 ~= count else {
      return nil
    }
    if unit == "s" { return count >= leastIdle ? count : nil }
    return unit == "m" ? count * 60 : unit == "h" ? count * 3_600 : nil
  }
}

/// The state of the synchronisation of a journal that is linked to a remote.
package struct SyncNote: Equatable, Codable, Sendable {
  /// The number of entries that the remote lacks.
  package var unsent: Int
  /// The number of entries with an open conflict.
  package var conflicts: Int
  /// Whether the last synchronisation failed.
  package var hasFailed: Bool
  /// Whether one is under way.
  package var isRunning: Bool
  /// The progress of the running one; `nil` while that is not known.
  package var progress: SyncProgress?

  package init(
    unsent: Int = 0, conflicts: Int = 0, hasFailed: Bool = false, isRunning: Bool = false,
    progress: SyncProgress? = nil
  ) {
    (self.unsent, self.conflicts) = (unsent, conflicts)
    (self.hasFailed, self.isRunning, self.progress) = (hasFailed, isRunning, progress)
  }

  /// The parts for the title bar: `3 unsent`, `sync failed`; none if all is well.
  package var parts: [String] {
    if isRunning { return [progress.map { "syncing: \($0.words)" } ?? "syncing…"] }
    return (conflicts > 0 ? [conflicts == 1 ? "1 conflict" : "\(conflicts) conflicts"] : [])
      + (hasFailed ? ["sync failed"] : [])
      + (unsent > 0 ? ["\(Numbers.grouped(unsent)) unsent"] : [])
  }
}

extension SyncProgress {
  /// The progress in few words: `sending 40 %`.
  package var words: String {
    switch self {
    case .transfer(let git): git.phase.rawValue + (git.percent.map { " \($0) %" } ?? "")
    case .merging(let count): "merging \(Numbers.entries(count))"
    case .file(let done, let all): "a file, \(done * 100 / max(1, all)) %"
    case .writing(let done, let all), .applying(let done, let all):
      "\(Numbers.grouped(done)) of \(Numbers.entries(all))"
    }
  }
}

/// Events of synchronisation.
package enum SyncEvent: Equatable, Codable, Sendable {
  /// The state; `nil` for a journal without a remote.
  case noted(SyncNote?)
  case progressed(SyncProgress)
  /// A synchronisation ended.
  ///
  /// - Parameter isAsked: whether the user asked for it; others are silent if they succeed.
  case ended(SyncOutcome, isAsked: Bool)
}

extension State {
  /// Cancels the synchronisation that is under way.
  mutating func cancelSync() -> [Effect] {
    status = .done("cancelling the sync…")
    return [.command(.cancelSync)]
  }

  mutating func updateSync(_ event: SyncEvent) -> [Effect] {
    switch event {
    case .noted(let note): sync = note
    case .progressed(let progress): if sync?.isRunning == true { sync?.progress = progress }
    case .ended(let outcome, let isAsked):
      sync?.isRunning = false
      sync?.progress = nil
      let shown: Status =
        switch outcome {
        case .done(let summary): .done(summary)
        case .failed(let reason): .failed("sync: \(reason)")
        case .cancelled: .done("sync cancelled; everything is kept for the next time")
        }
      // A person who is typing is not disturbed by what nobody asked for.
      if isAsked || prompt.open == nil && status == nil && shown.kind == .failed { status = shown }
    }
    return []
  }
}
