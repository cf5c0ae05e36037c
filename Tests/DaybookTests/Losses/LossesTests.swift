import Foundation
import Journal
import JournalStore
import TestSupport
import Testing

/// Public reports of lost text, replayed: what was written there is written here, and each word is
/// found at the end.
///
/// `Resources/manual/losses.md` describes the reports. The ledger of each test names words that are
/// missing before they are found, so a replay that loses one of them fails. `LossesTests+Git.swift` has
/// the reports about repositories, `LossesTests+Local.swift` those without synchronisation.
@Suite("How others lost notes", .waiting)
struct LossesTests {
  static let kinds = ["sqlite", "json", "sealed"]

  /// How the keys of a replay arrive.
  enum Arrival: CaseIterable {
    case atOnce, oneByOne
  }

  @Test("logseq#8873: two computers that were used before their first sync", arguments: kinds)
  func logseq8873(kind: String) throws {
    let replay = try Replay(kind)
    let (air, pro) = (try replay.device("air"), try replay.device("pro"))
    for text in ["Slept badly", "Walked along the river"] { try pro.done("add", replay.note(text)) }
    #expect(try replay.missing(on: pro) == [])
    for text in ["Meeting about harbours", "Repaired a printer"] {
      try air.done("add", replay.note(text))
    }
    try air.join(replay)
    let onPro = ["Slept", "Walked", "along", "badly", "river", "the"]
    #expect(try replay.missing(on: air) == onPro)
    try pro.join(replay)
    // The first computer has not asked again yet.
    #expect(try replay.missing(on: air) == onPro)
    #expect(try replay.hidden(on: pro) == [])
    try replay.rest()
    #expect(try replay.hidden(on: air) == [])
    try replay.checkEqual()
  }

  @Test("logseq#8940: the third device has an old state of the day, and writes in it")
  func logseq8940() throws {
    let replay = try Replay()
    let devices = try ["phone", "work", "home"].map(replay.device)
    let (phone, work, home) = (devices[0], devices[1], devices[2])
    let morning = replay.note("Day page\n- woke early")
    try phone.done("add", morning)
    for device in devices { try device.join(replay) }
    let noon = replay.note("\(morning)\n- bought bread")
    try phone.done("edit", "1", noon)
    try phone.done("sync")
    try work.done("sync")
    #expect(try replay.hidden(on: work) == [])
    try work.done("edit", "1", replay.note("\(noon)\n- called plumber"))
    try work.done("sync")
    #expect(try replay.missing(on: home) == ["bought", "bread", "called", "plumber"])
    // First only read there, and then written in before it is synchronised again.
    try home.done("show", "1")
    try home.done("edit", "1", replay.note("\(morning)\n- watered plants"))
    let result = try home.run("sync")
    #expect(result.output.contains("merged 1, conflicts 0"), "\(result)")
    try replay.rest()
    for device in devices { #expect(try replay.hidden(on: device) == []) }
    try replay.checkEqual()
  }

  @Test("logseq#9012: not there on the computer, so the phone synchronises once more")
  func logseq9012() throws {
    let replay = try Replay()
    let (phone, computer) = (try replay.device("phone"), try replay.device("computer"))
    let page = replay.note("Day page")
    try computer.done("add", page)
    for device in [computer, phone] { try device.join(replay) }
    try phone.done("edit", "1", replay.note("\(page)\n- morning in a train"))
    // There is no network in the train: what was written waits, and is counted.
    let away = replay.drive.path + "-away"
    try FileManager.default.moveItem(atPath: replay.drive.path, toPath: away)
    #expect(try phone.run("sync").code == 69)
    #expect(try phone.run("sync", "--status").output.contains("unsent     1 entry"))
    #expect(try replay.missing(on: phone) == [])
    try FileManager.default.moveItem(atPath: away, toPath: replay.drive.path)
    try computer.done("edit", "1", replay.note("\(page)\n- standup"))
    try computer.done("sync")
    #expect(try replay.missing(on: computer) == ["a", "in", "morning", "train"])
    try phone.done("sync")
    #expect(try phone.run("sync").code == 1)
    try computer.done("sync")
    for device in [phone, computer] { #expect(try replay.hidden(on: device) == []) }
    try replay.rest()
    try replay.checkEqual()
  }

  @Test(
    "notesnook#9763: a device with half of the note says last that it was changed",
    arguments: [false, true])
  func notesnook9763(isEdited: Bool) throws {
    let replay = try Replay()
    let (phone, laptop) = (try replay.device("phone"), try replay.device("laptop"))
    let half = replay.note("Board meeting\nagenda and budget")
    try phone.done("add", half)
    for device in [phone, laptop] { try device.join(replay) }
    try phone.done("edit", "1", replay.note("\(half)\ndecisions on Lisbon\nnext steps"))
    let later = ["Lisbon", "decisions", "next", "on", "steps"]
    #expect(try replay.missing(on: laptop) == later)
    // The laptop's clock is an hour ahead, and it synchronises first.
    let now = Int64(Date().timeIntervalSince1970)
    do {
      let store = try SQLiteEntryStore.open(
        laptop.journal, mode: .readWrite,
        clock: WallClock(now: { now + 3_600 }, offset: { _ in 0 }))
      if isEdited {
        _ = try store.edit(1, text: replay.note("\(half) for 2027"))
      } else {
        _ = try store.setStarred(true, [1])
      }
    }
    try laptop.done("sync")
    #expect(try replay.missing(on: laptop) == later)
    try phone.done("sync")
    #expect(try replay.hidden(on: phone) == [])
    try replay.rest()
    for device in [phone, laptop] {
      #expect(try replay.hidden(on: device) == [])
      // The history has the half and the whole.
      let history = try device.done("history", "1", "--diff")
      #expect(history.contains("Lisbon"), "\(history)")
    }
    try replay.checkEqual()
  }

  @Test(
    "obsidian-headless#42: the same words at the same moment, both synchronised at once",
    arguments: ["sqlite", "sealed"])
  func headless42(kind: String) throws {
    let replay = try Replay(kind)
    let (server, desktop) = (try replay.device("server"), try replay.device("desktop"))
    try server.done("add", replay.note("The plan is open"))
    for device in [server, desktop] { try device.join(replay) }
    try server.done("edit", "1", replay.note("The plan is cancelled"))
    try desktop.done("edit", "1", replay.note("The plan is approved"))
    #expect(try replay.missing(on: server) == ["approved"])
    #expect(try replay.missing(on: desktop) == ["cancelled"])
    let syncs = [server, desktop].map { device in
      let home = "HOME='\(device.program.home.path)'"
      return
        "\(home) \(Program.binary.path) --journal '\(device.journal)' sync & pids=\"$pids $!\"\n"
    }
    try replay.shell(syncs.joined() + "for pid in $pids; do wait $pid; done")
    try replay.rest()
    for device in [server, desktop] {
      // The shown text is not all: the other one is an open conflict, and a version.
      let hidden = try replay.hidden(on: device)
      #expect(hidden == ["approved", "open"] || hidden == ["cancelled", "open"], "\(hidden)")
      #expect(try replay.missing(on: device) == [])
      #expect(try device.done("list", "is:conflict").contains("The plan is"))
      let history = try device.done("history", "1")
      #expect(history.contains("approved") && history.contains("cancelled"), "\(history)")
    }
    try replay.checkEqual()
    try desktop.done("edit", "1", replay.note("The plan is cancelled, then approved"))
    try replay.rest()
    for device in [server, desktop] {
      #expect(try replay.hidden(on: device) == ["open"])
      #expect(try replay.missing(on: device) == [])
      #expect(try device.run("list", "is:conflict").output == "")
    }
    try replay.checkEqual()
  }

  @Test(
    "joplin#13531: typed while a sync brings another text of the entry",
    arguments: Arrival.allCases, ["b", "Escape"])
  func joplin13531(arrival: Arrival, answer: String) throws {
    let replay = try Replay()
    let (desktop, laptop) = (try replay.device("desktop"), try replay.device("laptop"))
    try desktop.done("add", replay.note("Test 123"))
    for device in [desktop, laptop] { try device.join(replay) }
    try laptop.done("edit", "1", replay.note("Test 123 apple"))
    try laptop.done("sync")
    // The sync waits for its connection until the words are typed.
    let bin = desktop.program.home.path + "/bin"
    try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
    try desktop.program.makeTool(
      bin + "/git",
      """
      case " $* " in *' fetch '*) until [ -e "\(bin)/go" ]; do sleep 0.02; done ;; esac
      exec /usr/bin/git "$@"
      """)
    let session = try desktop.screen(environment: "PATH='\(bin):/usr/bin:/bin'")
    try session.wait("the list") { $0.contains("Test 123") }
    try session.type(":", "sync", "Enter")
    try session.wait("the sync") { $0.contains("syncing") }
    let typed = replay.note(" banana cherry")
    if arrival == .atOnce {
      try session.type("e", typed)
    } else {
      try session.type("e")
      try session.wait("the prompt") { $0.contains("edit 1: Test 123") }
      for character in typed { try session.type("-l", String(character)) }
    }
    try session.wait("the typed words") { $0.contains("edit 1: Test 123 banana cherry") }
    try Data().write(to: URL(filePath: bin + "/go"))
    #expect(try becomesTrue { try desktop.shown() == ["Test 123 apple"] })
    // The prompt has its text, whatever the entry has now.
    try session.wait("the typed words") { $0.contains("edit 1: Test 123 banana cherry") }
    #expect(try replay.missing(on: laptop) == ["banana", "cherry"])
    // A key that arrives before the question can be seen does not answer it.
    try session.type("Enter")
    try session.wait("the question") { $0.contains("b both") }
    try session.answer(answer)
    if arrival == .atOnce, answer == "b" { try session.type("s", "s") }
    if answer == "b" {
      #expect(try becomesTrue { try replay.hidden(on: desktop) == [] })
    } else {
      try session.wait("the kept text") { $0.contains("draft of entry 1 kept") }
      #expect(try desktop.program.drafts() == ["Test 123 banana cherry"])
    }
    try session.type("q")
    try replay.rest()
    #expect(try replay.missing(on: desktop) == [])
    #expect(try replay.missing(on: laptop) == (answer == "b" ? [] : ["banana", "cherry"]))
    try replay.checkEqual()
  }
}
