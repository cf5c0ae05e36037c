import Foundation
import Journal
import JournalStore
import Testing

@testable import daybook

/// `daybook remind`: the timer, the notification and the line for a prompt.
@Suite(.waiting)
struct RemindCommandTests {
  private let program: Program

  init() throws { program = try Program() }

  private var units: URL { program.home.appending(path: ".config/systemd/user") }

  private func configure(_ text: String) throws {
    let file = program.home.appending(path: ".config/daybook/config.toml")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// Puts a program into a directory that comes first in `PATH`, and records its arguments.
  private func tool(_ name: String, _ script: String = "") throws -> [String: String] {
    let directory = program.home.appending(path: "tools").path
    _ = try program.shell("mkdir -p '\(directory)'")
    try program.makeTool(
      "\(directory)/\(name)", "printf '%s\\n' \"$*\" >> '\(directory)/calls'\n\(script)")
    return ["PATH": "\(directory):/usr/bin:/bin"]
  }

  private func calls() -> [String] {
    let text = try? String(contentsOf: program.home.appending(path: "tools/calls"), encoding: .utf8)
    return (text ?? "").split(separator: "\n").map(String.init)
  }

  @Test(
    "the line for a prompt comes from the time on, until there is an entry",
    arguments: ["sqlite", "json"])
  func prompt(kind: String) throws {
    let place = ["DAYBOOK_JOURNAL": program.home.appending(path: "j.\(kind)").path]
    #expect(try program.run(["remind", "--prompt"], extra: place).output.isEmpty)
    // The day begins at its end: every time of it has come.
    try configure("day_ends_at = \"00:00\"\n[remind]\nat = \"00:00\"\n")
    let line = try program.run(["remind", "--prompt"], extra: place)
    #expect(line.code == 0 && line.output == Reminder.line + "\n" && line.errors.isEmpty)
    _ = try program.run(["add", "--date", "yesterday", "old"], extra: place)
    #expect(try program.run(["remind", "--prompt"], extra: place).output == line.output)
    _ = try program.run(["add", "written"], extra: place)
    let after = try program.run(["remind", "--prompt"], extra: place)
    #expect(after.code == 0 && after.output.isEmpty && after.errors.isEmpty)
    _ = try program.run(["delete", "2"], extra: place)
    #expect(try program.run(["remind", "--prompt"], extra: place).output == line.output)
  }

  @Test("of a locked or damaged journal the prompt says nothing, and asks nothing")
  func silent() throws {
    try configure("day_ends_at = \"00:00\"\n[remind]\nat = \"00:00\"\n")
    let journal = program.home.appending(path: "j.sqlite")
    try Data("no journal".utf8).write(to: journal)
    let damaged = try program.run(
      ["remind", "--prompt"], extra: ["DAYBOOK_JOURNAL": journal.path])
    #expect(damaged.code == 0 && damaged.output.isEmpty && damaged.errors.isEmpty)
    try FileManager.default.removeItem(at: journal)
    let sealed = try program.shell(
      """
      export DAYBOOK_JOURNAL='\(journal.path)'
      daybook add --date yesterday secret >/dev/null
      printf 'correct horse battery staple' > $HOME/new
      DAYBOOK_NEW_PASSPHRASE_FD=7 daybook seal --yes 7<$HOME/new >/dev/null 2>&1 || exit 9
      daybook lock >/dev/null 2>&1
      """)
    if sealed.code == 9 { return }
    let locked = try program.run(
      ["remind", "--prompt"], extra: ["DAYBOOK_JOURNAL": journal.path])
    #expect(locked.code == 0 && locked.output.isEmpty && locked.errors.isEmpty)
  }

  @Test("the time is one of the journal day, also after midnight")
  func due() {
    let rule = DayRule()
    /// 2026-11-21 at a time, in UTC.
    func moment(_ hour: Int, _ minute: Int = 0) -> Moment {
      Moment(seconds: 1_795_219_200 + Int64(hour * 3_600 + minute * 60), offset: 0)
    }
    let evening = Reminder(minutes: 21 * 60, rule: rule)
    #expect(evening.dueDay(at: moment(20, 59)) == nil)
    #expect(evening.dueDay(at: moment(21))?.description == "2026-11-21")
    #expect(evening.dueDay(at: moment(27, 59))?.description == "2026-11-21")
    #expect(evening.dueDay(at: moment(28)) == nil)
    let night = Reminder(minutes: 60, rule: rule)
    #expect(night.dueDay(at: moment(23)) == nil)
    #expect(night.dueDay(at: moment(25))?.description == "2026-11-21")
  }

  @Test("a timer is made, changed and removed by the setting")
  func timer() throws {
    let tools = try tool("systemctl")
    let none = try program.run(["remind"], extra: tools)
    #expect(none.code == 1 && none.errors.contains("[remind] at"))
    try configure("[remind]\nat = \"21:00\"\n")
    #expect(try program.run(["remind", "--status"], extra: tools).output.contains("no timer"))
    let made = try program.run(["remind", "--journal", "/tmp/my $%j.sqlite"], extra: tools)
    #expect(
      made.code == 0 && made.output == "reminds at 21:00, on days without an entry\n",
      "\(made.errors)")
    let timer = units.appending(path: "daybook-remind.timer")
    let service = units.appending(path: "daybook-remind.service")
    #expect(try String(contentsOf: timer, encoding: .utf8).contains("OnCalendar=*-*-* 21:00:00\n"))
    let text = try String(contentsOf: service, encoding: .utf8)
    #expect(
      text.contains(
        "ExecStart=\"\(Program.binary.path)\" \"remind\" \"--notify\" \"--journal\" \"/tmp/my $$%%j.sqlite\""
      ), "\(text)")
    #expect(calls().contains { $0.contains("enable --now daybook-remind.timer") })
    try configure("[remind]\nat = \"07:05\"\n")
    _ = try program.run(["remind"], extra: tools)
    #expect(try String(contentsOf: timer, encoding: .utf8).contains("*-*-* 07:05:00"))
    #expect(
      try program.run(["remind", "--status"], extra: tools).output.contains("reminds at 07:05"))
    try configure("")
    #expect(try program.run(["remind", "--status"], extra: tools).output.contains("removes it"))
    #expect(try program.run(["remind"], extra: tools).code == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: units.path) == [])
    #expect(calls().contains { $0.contains("disable --now daybook-remind.timer") })
    #expect(try program.run(["remind"], extra: tools).code == 1)
  }

  @Test("without systemd, or where it fails, the error says so and nothing is left")
  func noSystemd() throws {
    try configure("[remind]\nat = \"21:00\"\n")
    let none = try program.run(["remind"], extra: ["PATH": program.home.path])
    #expect(none.code == 69 && none.errors.contains("no systemd here"))
    #expect(none.errors.split(separator: "\n").count == 1)
    let tools = try tool("systemctl", "echo 'Failed to connect to bus' >&2; exit 1")
    let failed = try program.run(["remind"], extra: tools)
    #expect(
      failed.code == 69 && failed.errors.contains("Failed to connect to bus"), "\(failed.errors)")
    let left = (try? FileManager.default.contentsOfDirectory(atPath: units.path)) ?? []
    #expect(left == [])
  }

  @Test("the notification is shown on a day without an entry only")
  func notification() throws {
    try configure("[remind]\nat = \"21:00\"\n")
    let tools = try tool("notify-send")
    #expect(try program.run(["remind", "--notify"], extra: tools).code == 0)
    #expect(calls().count == 1 && calls()[0].contains(Reminder.line))
    _ = try program.run(["add", "x"])
    #expect(try program.run(["remind", "--notify"], extra: tools).code == 0)
    #expect(calls().count == 1)
    _ = try program.run(["delete", "1"])
    let plain = try program.run(["remind", "--notify"], extra: ["PATH": program.home.path])
    #expect(plain.output == Reminder.line + "\n")
  }

  @Test("a wrong time is a wrong line of the configuration")
  func wrongTime() throws {
    try configure("[remind]\nat = \"late\"\n")
    let result = try program.run(["remind"])
    #expect(result.code == 1 && result.errors.contains("a time such as"), "\(result.errors)")
  }
}
