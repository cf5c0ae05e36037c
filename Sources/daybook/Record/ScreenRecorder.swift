import Files
import Glibc
import Journal
import Screen
import SectionedResults
import TextLayout

/// Records a run of the screen, line by line, for `daybook replay`.
///
/// Each line is one write, so that the record of a run that was killed is complete to the last event.
/// A failed write ends the record and nothing else. A record is not for secrets: it ends before
/// anything of a sealed journal is shown, and before a passphrase or a recovery key is.
final class ScreenRecorder {
  /// Appends a line; returns 0 or the `errno`.
  private let write: ([UInt8]) -> Int32
  private let start = ContinuousClock.now
  private var rows: [RowPath: EntryRow?] = [:]
  private let away = MomentSet()
  private(set) var isEnded = false
  /// Why the record cannot be continued, if it had to end before the run did.
  private(set) var failure: String?
  private var isTold = false

  /// - Parameter write: appends the bytes of a line; returns 0 or the `errno`.
  init(write: @escaping ([UInt8]) -> Int32) {
    self.write = write
    append(
      Result {
        try JSONCoding.value(
          of: RecordHeader(
            terminal: Places.variable("TERM"),
            locale: setlocale(LC_TIME, nil).map { String(cString: $0) } ?? "C"))
      })
  }

  /// Notes a line, with the moments that the frames before it asked about.
  func note(_ line: RecordLine) {
    guard !isEnded else { return }
    let new = away.takeNew()
    if !new.isEmpty { append(.away(new)) }
    append(line)
  }

  /// Notes the facts of the opening, of which the line has no secret.
  func begin(_ opening: Opening) { note(.opening(opening)) }

  /// Notes that a screen is drawn from the beginning.
  func noteScreen(keys: KeyTable) { note(.screen(keys == .standard ? nil : keys)) }

  /// Notes keys.
  func note(pressed events: some Sequence<KeyEvent>) {
    guard !isEnded else { return }
    let keys = events.map(\.script).joined()
    if !keys.isEmpty { note(.pressed(keys)) }
  }

  /// A source that notes the new answers of another one.
  func recording(_ source: FrameSource) -> FrameSource {
    var recorded = source
    recorded.offsets = OffsetRule { [away, offsets = source.offsets] moment in
      let isLocal = offsets.isLocal(moment)
      if !isLocal { away.insert(moment) }
      return isLocal
    }
    recorded.row = { [weak self] path in
      let row = source.row(path)
      self?.note(row, at: path)
      return row
    }
    recorded.total = { [weak self] section in
      let total = source.total(section)
      self?.note(.total(section, total))
      return total
    }
    recorded.daysWithSeveralOffsets = { [weak self] days in
      let several = source.daysWithSeveralOffsets(days)
      self?.note(.days(days.sorted(), several: several.sorted()))
      return several
    }
    return recorded
  }

  private func note(_ row: EntryRow?, at path: RowPath) {
    guard !isEnded, rows[path] != .some(row) else { return }
    rows[path] = .some(row)
    note(.row(path, row))
  }

  // MARK: - The end

  /// Ends the record before the run.
  func end(_ reason: String) {
    guard !isEnded else { return }
    finish(reason)
    fail(reason)
  }

  /// Ends the record with the run.
  func finish(_ reason: String = "the program ended") {
    note(.end(reason))
    isEnded = true
  }

  /// Ends the record before a command that asks for a passphrase, or prints a recovery key.
  func endIfSecret(_ effect: CommandEffect) {
    guard case .run(let words, _) = effect, let word = words.first else { return }
    let name = (try? CommandCatalog.ofProgram.name(word)) ?? word
    if Self.secretCommands.contains(name) { end("no record is made of :\(name)") }
  }

  /// The commands with passphrases and recovery keys.
  private static let secretCommands = Set(
    [SealCommand.self, UnsealCommand.self, PassphraseCommand.self, UnlockCommand.self]
      .map { (type: any JournalCommand.Type) in type.configuration.commandName ?? "" })

  /// A question for a secret, which ends the record before it is asked.
  func ending(_ ask: @escaping SecretAsking) -> SecretAsking {
    { [weak self] question in
      self?.end("no record is made of a passphrase")
      return try ask(question)
    }
  }

  private func append(_ line: RecordLine) {
    let at = (ContinuousClock.now - start).milliseconds
    append(Result { try TimedLine(at: at, line: line).json() })
  }

  private func append(_ json: Result<JSONValue, any Error>) {
    do {
      var bytes: [UInt8] = []
      try json.get().append(to: &bytes)
      bytes.append(UInt8(ascii: "\n"))
      let code = write(bytes)
      if code != 0 { fail(String(cString: strerror(code))) }
    } catch {
      fail("\(error)")
    }
  }

  private func fail(_ reason: String) {
    isEnded = true
    guard failure == nil else { return }
    failure = reason
  }

  /// The reason of an early end, once: the next frame says it, since a key clears a message before it.
  func takeUntold() -> String? {
    guard let failure, !isTold else { return nil }
    isTold = true
    return failure
  }
}

extension Duration {
  fileprivate var milliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
  }
}

/// The new file of a record: private, and never one that existed.
struct RecordFile {
  let path: String
  private let descriptor: Int32

  /// Creates the file.
  ///
  /// - Throws: ``Failure`` 73, 74 or 77; a file that exists is not touched.
  init(_ path: String) throws(Failure) {
    self.path = path
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else {
      if errno == EEXIST {
        throw Failure(.cannotCreate, "\(path): exists; name a new file for the record")
      }
      throw .system(errno, path)
    }
  }

  /// Appends a line, whole or not at all.
  ///
  /// - Returns: 0, or the `errno`.
  func append(_ bytes: [UInt8]) -> Int32 {
    let end = lseek(descriptor, 0, SEEK_END)
    let code = Descriptor.writeAll(descriptor, bytes)
    if code != 0, end >= 0 { ftruncate(descriptor, end) }
    return code
  }
}
