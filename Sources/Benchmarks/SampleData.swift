import Foundation
import GRDB
import Glibc
import Journal
import JournalStore
import Seal
import TestSupport

/// Keeps the sample journals between runs, and makes working copies of them.
struct DataDirectory {
  /// The writable directory of this run, deleted at its end.
  let work: String
  private let samples: String
  /// The key that seals all copies.
  private var key: JournalKey?

  /// Opens the directory; journals with another schema are ignored.
  init(path: String) throws {
    work = "\(path)/work-\(getpid())"
    try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
    let name = try DataDirectory.fingerprint(ofJournalAt: "\(work)/probe.sqlite")
    samples = "\(path)/\(name)"
    try FileManager.default.createDirectory(atPath: samples, withIntermediateDirectories: true)
    for other in try FileManager.default.contentsOfDirectory(atPath: path)
    where other != name && !DataDirectory.isInUse(other) {
      try FileManager.default.removeItem(atPath: "\(path)/\(other)")
    }
  }

  /// Whether a directory belongs to a running benchmark.
  private static func isInUse(_ directory: String) -> Bool {
    let parts = directory.split(separator: "-")
    guard parts.count == 2, parts[0] == "work", let pid = pid_t(parts[1]) else { return false }
    return kill(pid, 0) == 0
  }

  /// The same data, of which all copies are sealed with a key.
  func sealed(with key: JournalKey) -> DataDirectory {
    var data = self
    data.key = key
    return data
  }

  /// A fresh copy of a journal of `count` entries, which a run may change.
  func copy(_ count: Int, as name: String) throws -> String {
    let copy = "\(work)/\(name)-\(count)\(key == nil ? "" : "-sealed").sqlite"
    try? FileManager.default.removeItem(atPath: copy)
    let original = try key.map { try sealedSample(count, $0) } ?? sample(count)
    try FileManager.default.copyItem(atPath: original, toPath: copy)
    // Else the kernel writes it out during the measurement.
    Glibc.sync()
    return copy
  }

  /// A journal of `count` entries, sealed once in each run.
  private func sealedSample(_ count: Int, _ key: JournalKey) throws -> String {
    let file = "\(work)/sealed-sample-\(count).sqlite"
    guard !FileManager.default.fileExists(atPath: file) else { return file }
    try FileManager.default.copyItem(atPath: try sample(count), toPath: file)
    try DataDirectory.seal(file, with: key)
    return file
  }

  /// The passphrase of sealed journals.
  static let passphrase = "bench"

  /// Seals a journal.
  static func seal(_ path: String, with key: JournalKey) throws {
    let slots = try KeySlots(
      key: key, passphrase: Passphrase(Array(passphrase.utf8)), recovery: nil)
    try Sealing(JournalLocation(path: path, isExplicit: true)).seal(with: key, slots: slots)
  }

  /// A journal of `count` entries, which must not be changed.
  func sample(_ count: Int) throws -> String {
    try kept("\(count).sqlite") { file in
      Console.tell("making a journal of \(count) entries, once")
      let time = try Monotonic.milliseconds { try SampleJournal(count: count).write(to: file) }
      Console.tell("  made in \(Int(time / 1_000)) s")
    }
  }

  /// The path of a file that is kept with the sample journals; `make` writes it at a path it gets.
  func kept(_ name: String, make: (String) throws -> Void) throws -> String {
    let file = "\(samples)/\(name)"
    guard !FileManager.default.fileExists(atPath: file) else { return file }
    let unfinished = "\(work)/unfinished"
    try? FileManager.default.removeItem(atPath: unfinished)
    try make(unfinished)
    try FileManager.default.moveItem(atPath: unfinished, toPath: file)
    return file
  }

  /// Removes the working copies after a row: some are of ten million entries.
  func removeCopies() throws {
    try? FileManager.default.removeItem(atPath: work)
    try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
  }

  /// Removes the directory of this run.
  func clean() {
    try? FileManager.default.removeItem(atPath: work)
  }

  /// Identifies a schema by a checksum over a fresh journal's definitions.
  private static func fingerprint(ofJournalAt path: String) throws -> String {
    _ = try SQLiteEntryStore.open(path, mode: .create)
    let queue = try DatabaseQueue(path: path)
    let statements = try queue.read {
      try String.fetchAll($0, sql: "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY 1")
    }
    let sum = Entry.checksum(of: statements.joined(separator: ";"))
    return String(UInt64(bitPattern: sum), radix: 16)
  }
}

/// Generates journals of any size over the ten years from 2014 to 2023, always the same ones.
struct SampleJournal {
  /// The number of entries.
  let count: Int

  /// The days with entries: nineteen of twenty, about 3,480.
  static let days: [Day] = {
    var random = SeededGenerator(seed: 14)
    guard let first = Day(year: 2014, month: 1, day: 1) else { return [] }
    return (0..<3_652).filter { _ in !random.oneIn(21) }.map { first.adding(days: $0) }
  }()

  /// Writes the journal through the store, oldest entry first.
  func write(to path: String) throws {
    let store = try SQLiteEntryStore.open(path, mode: .create)
    var texts = SampleText(seed: 1)
    var random = SeededGenerator(seed: 2)
    let batch = 5_000
    for start in stride(from: 0, to: count, by: batch) {
      let entries = (start..<min(start + batch, count)).map {
        entry($0, &texts, &random)
      }
      _ = try store.addReporting(entries, as: .importing)
      if count >= 100_000, (start + batch).isMultiple(of: 100_000) {
        Console.tell("  \(start + batch) of \(count) entries written")
      }
    }
  }

  private func entry(
    _ index: Int, _ texts: inout SampleText, _ random: inout SeededGenerator
  ) -> NewEntry {
    let days = SampleJournal.days
    let place = Double(index) / Double(count) * Double(days.count)
    let day = days[min(Int(place), days.count - 1)]
    let second = Int((place - place.rounded(.down)) * 57_600)
    let created = Moment(
      seconds: Int64(day.daysSinceEpoch * 86_400 + 21_600 + second), offset: 3_600)
    let later = random.oneIn(10) ? Int64(random.below(30 * 86_400)) : 0
    return NewEntry(
      text: texts.next(), created: created, day: day, starred: random.oneIn(50),
      modified: Moment(seconds: created.seconds + later, offset: 3_600))
  }
}

/// Generates texts like those of a journal in several languages and scripts.
struct SampleText {
  private var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  /// A title, usually a body, and sometimes tags.
  mutating func next() -> String {
    let words = SampleText.languages[random.below(SampleText.languages.count)]
    var text = sentence(of: words, length: 3 + random.below(5))
    if random.oneIn(2) { text += " #" + SampleText.tags[random.below(SampleText.tags.count)] }
    if random.oneIn(20) { text += " 🎂" }
    guard !random.oneIn(3) else { return text }
    text += "\n\n"
    for _ in 0...random.below(4) {
      text += sentence(of: words, length: 4 + random.below(10)) + ". "
    }
    if random.oneIn(4) { text += "#" + SampleText.tags[random.below(SampleText.tags.count)] }
    return text
  }

  private mutating func sentence(of words: [String], length: Int) -> String {
    (0..<length).map { _ in words[random.below(words.count)] }.joined(separator: " ")
  }

  private static let tags = [
    "home", "work", "garden", "travel", "@anna", "@jürgen", "книги", "健康", "running", "music",
    "money", "ideas", "dreams", "family", "weather", "kitchen", "letters", "walks", "school", "cat",
  ]

  private static let languages = [
    """
    we walked along the river until it was dark and talked about the house bread letters morning
    rain garden letter friend train window coffee book evening light work tired happy found lost
    bought called finished planted cleaned wrote slept early late winter summer again perhaps
    """,
    """
    heute waren wir im Garten und später über die Brücke nach Hause gegangen Müdigkeit Straße
    Frühstück schön Äpfel gepflückt endlich geschlafen Brief geschrieben Mutter angerufen Regen
    """,
    """
    déjeuner près du marché avec élève naïf garçon où était déjà l’hiver forêt pluie été même
    peut-être travaillé café lettre rêve soirée ancienne maison église château fenêtre
    """,
    """
    сегодня утром было холодно и мы пили чай потом читали книгу письмо вечер дождь город старый
    друг позвонил окно работа устал счастлив поезд зима лето снова
    """,
    """
    σήμερα το πρωί πήγαμε στη θάλασσα και μετά γράμμα βράδυ βροχή φίλος σπίτι δουλειά καλοκαίρι
    """,
    "今天 早上 我们 去了 公园 散步 下午 下雨 在家 看书 喝茶 写信 朋友 来电 话 晚上 很累 但是 高兴",
    "今日は 朝から 雨が 降って いた 図書館 で 本を 読み コーヒー 友達 と 話した 夜 早く 寝た カタカナ",
    "오늘 아침 비가 왔다 친구 와 함께 산책 을 하고 책을 읽었다 저녁 편지 를 썼다 행복 하다",
    "اليوم ذهبنا إلى السوق ثم شربنا القهوة مع الأصدقاء كتاب رسالة مساء مطر بيت عمل سعيد",
  ].map { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
}

extension SeededGenerator {
  /// True in one of `cases` cases.
  mutating func oneIn(_ cases: Int) -> Bool { below(cases) == 0 }
}
