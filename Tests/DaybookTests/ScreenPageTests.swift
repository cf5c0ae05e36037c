import Foundation
import Testing

/// Versions, tags, views, settings and other journals, with keys from a pipe.
struct ScreenPageTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  @Test("H shows what the newest text changed; h goes back and r takes a version back as one step")
  func versions() throws {
    let number = try number()
    for text in ["Bought dark bread", "Bought dark bread and milk"] {
      _ = try program.run(["edit", number, text])
    }
    let newest = try keys("H")
    #expect(newest.contains("Version 3 of 3"))
    #expect(newest.contains("+2 -0 words"))
    #expect(newest.contains("- Bought dark bread\n+ Bought dark bread and milk"))
    #expect(try keys("Hhh").contains("original"))
    let back = try keys("Hhhr")
    #expect(back.contains("version 1 of 3 restored; u undoes it"))
    #expect(back.contains("Version 4 of 4"))
    #expect(try program.run(["show", "1"]).output.contains("Bought bread"))
    _ = try keys("u")
    #expect(try program.run(["show", "1"]).output.contains("and milk"))
  }

  @Test("an entry of the trash has its versions too, and comes out of it with one")
  func versionsInTrash() throws {
    _ = try program.run(["edit", try number(), "Other text"])
    _ = try program.run(["delete", "1"])
    #expect(try keys("TH").contains("in the trash"))
    #expect(try keys("THhr").contains("version 1 of 2 restored, out of the trash; u undoes it"))
    #expect(try program.run(["list"]).output.contains("Bought bread"))
    _ = try program.run(["undo"])
    #expect(try program.run(["list"]).output.isEmpty)
  }

  @Test(":tags lists the tags, the most used first, and Enter shows the entries of one")
  func tags() throws {
    _ = try number()
    for text in ["a #work", "b #work/api", "c #Work #home"] { _ = try program.run(["add", text]) }
    let page = try keys(":tags\r")
    #expect(page.contains("\n› #work      2 entries (3 with subtags)\n  #home      1 entry\n"))
    let filtered = try keys(":tags\r\r")
    #expect(filtered.contains(" journal   filter: #work "))
    #expect(!filtered.contains("Bought bread"))
  }

  @Test("by tag * marks entries, not rows, and marks none when all are marked")
  func markingByTag() throws {
    for text in ["a #work #home #garden", "b #work"] { _ = try program.run(["add", text]) }
    let marked = try keys("ot*")
    #expect(marked.contains("2 marked"))
    #expect(marked.contains(#/ 1 of [12] #/#))
    #expect(!(try keys("ot**").contains("marked")))
    #expect(try keys("ot*d").contains("deleted 2 entries"))
  }

  @Test(":tags --rename takes children along, merges, knows no case, and is one step")
  func renaming() throws {
    for text in ["a #work and #WORK/api", "b #job", "c #Straße #workshop"] {
      _ = try program.run(["add", text])
    }
    #expect(try keys(":tags --rename work job\r").contains(" renamed the tag in 1 entry"))
    let listed = try program.run(["tags"]).output
    #expect(listed.contains("2 #job\n") && listed.contains("1 #job/api\n"))
    #expect(listed.contains("#workshop") && !listed.contains("#work\n"))
    _ = try keys(":tags --rename STRASSE 東京\r")
    #expect(try program.run(["list", "#東京"]).output.contains("c #東京"))
    _ = try keys("uu")
    #expect(try program.run(["tags"]).output.contains("1 #work\n"))
  }

  @Test(":view save writes the filter down, :view lists it, :view delete takes it out")
  func views() throws {
    _ = try number()
    #expect(try keys("fbrea\r:view save food\r").contains("saved view food: brea*"))
    let file = program.home.appending(path: ".config/daybook/config.toml")
    #expect(try String(contentsOf: file, encoding: .utf8) == "[views]\nfood = \"brea*\"\n")
    #expect(try keys(":view\r").contains("› food  brea*"))
    #expect(try keys(":view food\r").contains("Bought bread"))
    #expect(try keys(":view save x\r").contains("the list has no filter"))
    #expect(try keys(":view delete fod\r").contains("did you mean \"food\"?"))
    #expect(try keys(":view delete food\r").contains("deleted view food"))
    #expect(try String(contentsOf: file, encoding: .utf8) == "[views]\n")
  }

  @Test(":set changes a setting until the end, tells it, and names what is wrong")
  func settings() throws {
    _ = try number()
    #expect(try keys(":set section year\r").contains("\n2026\n"))
    #expect(try keys(":set sort titel\r").contains("sort must be one of"))
    #expect(try keys(":set prewiew on\r").contains("did you mean \"preview\"?"))
    #expect(try keys(":set mouse off\r:set mouse?\r").contains("mouse = false"))
    #expect(try keys(":set week_starts sunday\rM").contains("Su  Mo  Tu"))
    #expect(try keys(":set\r").contains("theme = \"auto\""))
    #expect(try keys(":set theme calmm\r").contains("did you mean \"calm\"?"))
    #expect(try keys(":set journal /x\r").contains("takes effect only at the start"))
    #expect(try keys(":set date_format %d.%m.%Y\r").contains(".2026"))
    #expect(!(try keys("").contains("by year")))
  }

  @Test(
    ":open shows another journal, writes its file and never its folder, and is remembered nowhere")
  func journals() throws {
    _ = try number()
    let other = program.home.appending(path: "notes.json").path
    let shown = try keys(":open \(other)\raIn the other\r")
    #expect(shown.contains("In the other") && shown.contains("other/notes.json") == false)
    #expect(try program.run(["--journal", other, "list"]).output.contains("In the other"))
    #expect(!(try program.run(["list"]).output.contains("In the other")))
    #expect(try keys(":open ~/notes.json\r").contains("opened notes.json"))
    let missing = try keys(":open ~/none/x.sqlite\r")
    #expect(missing.contains("Bought bread") && missing.contains("none"))
    #expect(!FileManager.default.fileExists(atPath: program.home.appending(path: "none").path))
    #expect(try keys(":open ~/.local/share/daybook/journal.sqlite\r").contains("already"))
    let state = program.home.appending(path: ".local/state/daybook")
    for name in ["journals", "views"] {
      #expect(!FileManager.default.fileExists(atPath: state.appending(path: name).path))
    }
  }

  @Test("undo goes on after a visit to another journal, and passes over other programs' steps")
  func undoAfterVisit() throws {
    _ = try number()
    let other = program.home.appending(path: "notes.sqlite").path
    let theirs = "|\(Program.binary.path) add Theirs\r"
    let visit = ":open \(other)\r:open ~/.local/share/daybook/journal.sqlite\r"
    for way in ["", visit, ":at today\r" + visit] {
      _ = try keys("aMine\r" + theirs + way + "u")
      let list = try program.run(["list"]).output
      #expect(list.contains("Theirs") && !list.contains("Mine"), "\(way)")
    }
  }

  @Test("drafts belong to the journal in which they were typed")
  func drafts() throws {
    _ = try number()
    let other = program.home.appending(path: "notes.sqlite").path
    _ = try keys("aHalf a thought\u{3}:open \(other)\r")
    #expect(!(try keys(":open \(other)\r").contains("draft")))
    let back = ":open \(other)\r:open ~/.local/share/daybook/journal.sqlite\r"
    #expect(try keys(back).contains("1 draft kept"))
    #expect(try keys("").contains("1 draft kept"))
  }

  @Test("drafts of the journal that config.toml names are those of its path")
  func draftsOfConfigured() throws {
    let other = program.home.appending(path: "notes.sqlite").path
    let directory = program.home.appending(path: ".config/daybook")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try Data("journal = \"\(other)\"\n".utf8).write(to: directory.appending(path: "config.toml"))
    _ = try keys("aHalf a thought")
    let shown = try program.run(["--journal", other], input: [])
    #expect(shown.output.contains("1 draft kept"))
  }

  @Test("an entry that a filter hides is shown by Esc")
  func hidden() throws {
    _ = try number()
    let told = try keys("f#home\raNo tag\r")
    #expect(told.contains("added entry 2, hidden by this list; Esc goes there"))
    #expect(try keys("f#home\raNot here\r\u{1B}").contains("› "))
  }

  @Test("messages of commands are for people: no uuid, no program's name")
  func messages() throws {
    #expect(try keys(":add --star 'Bought bread'\r").contains(" added entry 1\n"))
    let wrong = try keys(":tag 99 --tag x\r")
    #expect(!wrong.contains("daybook:") && wrong.contains("99"))
    #expect(try keys(":history 1\r").contains("Bought bread"))
  }

  @Test("by tag the status counts the entries of the section, not rows")
  func byTag() throws {
    for text in ["a #x #y #z", "b #y"] { _ = try program.run(["add", text]) }
    #expect(try keys("otgg}").contains("1 of 2 #y"))
  }

  @Test("read-only no prompt opens, also none that was asked for at the start")
  func readOnly() throws {
    _ = try number()
    for arguments in [["--read-only"], ["--read-only", "--prompt"]] {
      let screen = try program.run(arguments, input: Array("a".utf8)).output
      #expect(screen.contains("read-only; nothing was changed") && !screen.contains("new:"))
    }
  }

  @Test("the hints of an entry that is read in the trash say how it comes out")
  func trashHints() throws {
    _ = try program.run(["delete", try number()])
    #expect(try keys("T\r").contains("r restore"))
  }

  @Test("the help is wrapped on a narrow screen, and nothing of it is cut")
  func narrowHelp() throws {
    let help = try program.run(
      [], input: Array("?".utf8), extra: ["LINES": "200", "COLUMNS": "40"]
    ).output
    let words = help.split(whereSeparator: { $0 == " " || $0 == "\n" }).joined(separator: " ")
    #expect(!help.contains("…"))
    #expect(words.contains("move to the trash"))
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= 40 })
  }

  /// Adds the first entry.
  private func number() throws -> String {
    let output = try program.run(["add", "Bought bread"]).output
    return String(output.prefix { $0 != "\t" })
  }

  private func keys(_ keys: String) throws -> String {
    try program.run([], input: Array(keys.utf8)).output
  }
}
