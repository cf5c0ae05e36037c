import Foundation
import Testing

/// Reports about repositories that somebody else writes to as well.
extension LossesTests {
  @Test("GitJournal#241: changes from an editor and git on the desktop")
  func gitJournal241() throws {
    let replay = try Replay()
    let phone = try replay.device("phone")
    let text = replay.note("Desktop test 1.\nDesktop test 2.")
    try phone.done("add", text)
    try phone.join(replay)
    let clone = replay.drive.path + "/clone"
    try replay.shell(
      """
      git clone -q -b main '\(replay.remote)' '\(clone)'; cd '\(clone)'
      sed -i 's/^Desktop test 1.$/&\\n\(replay.note("Between both."))/' 20*/*/*/*.md
      git commit -qam desktop; git push -q
      """)
    try phone.done("edit", "1", replay.note("\(text)\nFrom the phone."))
    #expect(try replay.missing(on: phone) == ["Between", "both"])
    try phone.done("sync")
    #expect(try replay.hidden(on: phone) == [])
    let files = "cd '\(clone)'; git pull -q; cat 20*/*/*/*.md $(find conflicts -type f 2>/dev/null)"
    #expect(replay.missing(in: [try replay.shell(files)]) == [])
    // The same words on both sides.
    try replay.shell(
      """
      cd '\(clone)'; sed -i 's/^From the phone.$/\(replay.note("From Lisbon."))/' 20*/*/*/*.md
      git commit -qam desktop; git push -q
      """)
    let shown = try #require(try phone.shown().first)
    try phone.done("edit", "1", shown.replacing("From the phone.", with: replay.note("From Oslo.")))
    #expect(try replay.missing(on: phone) == ["Lisbon"])
    #expect(try phone.done("sync").contains("conflicts 1"))
    #expect(try replay.missing(on: phone) == [])
    let both = try replay.shell(files)
    #expect(both.contains("From Oslo.") && both.contains("From Lisbon."))
    #expect(!both.contains("<<<<"))
  }

  @Test("GitJournal#582: notes, a trash and a draft that are there before the first sync")
  func gitJournal582() throws {
    let replay = try Replay()
    let (laptop, phone) = (try replay.device("laptop"), try replay.device("phone"))
    try laptop.done("add", replay.note("Old notes"))
    try laptop.join(replay)
    try phone.done("add", replay.note("First thought"))
    try phone.done("edit", "1", replay.note("Better idea"))
    try phone.done("add", replay.note("Thrown away"))
    try phone.done("delete", "2")
    try phone.run(input: "a" + replay.note("half written"))
    #expect(try replay.missing(on: phone) == ["Old", "notes"])
    // A repository of something else is refused, and the phone stays as it was.
    let foreign = replay.drive.path + "/foreign"
    try replay.shell(
      "git init -q '\(foreign)'; cd '\(foreign)'; echo x >x.txt; git add .; git commit -qm x")
    let before = try phone.state()
    #expect(try phone.run("sync", "--remote", foreign).code == 65)
    #expect(try phone.state() == before)
    try phone.join(replay)
    #expect(try replay.missing(on: phone) == [])
    try replay.rest()
    #expect(try replay.missing(on: phone) == [])
    // Versions and drafts stay on the device that has them.
    #expect(try replay.missing(on: laptop) == ["First", "half", "thought", "written"])
    try replay.checkEqual()
  }

  @Test("GitJournal#124: two hours of writing, and a remote that takes nothing")
  func gitJournal124() throws {
    let replay = try Replay()
    let (phone, desktop) = (try replay.device("phone"), try replay.device("desktop"))
    try desktop.done("add", replay.note("Yesterday"))
    for device in [desktop, phone] { try device.join(replay) }
    try phone.run("add", "-", input: replay.note("A long post about gardens"))
    // As for a wrong key or a protected branch, the push is refused.
    let lock = replay.remote + "/refs/heads/main.lock"
    try Data().write(to: URL(filePath: lock))
    for _ in 0..<2 {
      let refused = try phone.run("sync")
      #expect(refused.code == 77 && !refused.errors.isEmpty, "\(refused)")
      #expect(try replay.hidden(on: phone) == [])
      #expect(try phone.run("sync", "--status").output.contains("unsent     1 entry"))
    }
    #expect(try replay.missing(on: desktop) == ["A", "about", "gardens", "long", "post"])
    try FileManager.default.removeItem(atPath: lock)
    try phone.done("sync")
    try desktop.done("sync")
    #expect(try replay.hidden(on: desktop) == [])
    try replay.checkEqual()
  }

  @Test("obsidian-git#558: a conflict is committed as it is shown, after other commits")
  func obsidianGit558() throws {
    let replay = try Replay()
    let (laptop, phone) = (try replay.device("laptop"), try replay.device("phone"))
    for text in ["Soup with milk", "Garden", "Trains"] { try laptop.done("add", replay.note(text)) }
    for device in [laptop, phone] { try device.join(replay) }
    try laptop.done("edit", "2", replay.note("Garden: beans and peas"))
    try laptop.done("sync")
    try laptop.done("edit", "1", replay.note("Soup with cream"))
    try laptop.done("sync")
    try laptop.done("add", replay.note("Fourth"))
    try laptop.done("sync")
    let own = replay.note("Soup with butter")
    try phone.done("edit", "1", own)
    #expect(try replay.missing(on: phone) == ["Fourth", "and", "beans", "cream", "peas"])
    #expect(try phone.done("sync").contains("conflicts 1"))
    // Both texts can be seen, and neither has markers inside.
    let history = try phone.done("history", "1")
    #expect(history.contains("cream") && history.contains("butter"), "\(history)")
    #expect(try phone.kept().allSatisfy { !$0.contains("<<<<") })
    // The phone settles the conflict with its own text.
    try phone.done("edit", "1", own)
    try phone.done("sync")
    try replay.rest()
    for device in [laptop, phone] {
      #expect(try device.shown().sorted() == ["Fourth", "Garden: beans and peas", own, "Trains"])
      #expect(try replay.hidden(on: device) == ["cream", "milk"])
      #expect(try replay.missing(on: device) == [])
      #expect(try device.run("list", "is:conflict").output == "")
    }
    try replay.checkEqual()
  }
}
