import Foundation
import Journal
import JournalStore
import Seal
import Testing

@testable import daybook

/// The drafts of a sealed journal keep every promise of drafts, and show nothing without the key.
struct SealedDraftTests {
  private let place: SealedPlace
  private let sealed: DraftStore
  private let readable: DraftStore
  private static let word = "Quittengelee"
  private static let uuid = "019306c2-7d11-7abc-8def-0123456789ab"

  init() throws {
    place = try SealedPlace()
    sealed = place.drafts(.sealed(place.key))
    readable = place.drafts(.readable)
  }

  private func bytes(_ text: String = word) -> [UInt8] { Array(text.utf8) }

  @Test("text and purpose are in no file, and the key brings them back")
  func tellsNothing() throws {
    for store in [sealed, readable] {
      let draft = try store.keep(
        bytes(), for: .edit(uuid: Self.uuid), file: "2026-11-22-0643.md", isFile: true)
      try store.update(draft, text: Self.word + " again")
      let found = try [Self.word, Self.uuid, "2026-11"].map { try place.files(with: $0) }
      if store === sealed {
        #expect(found == [[], [], []])
        #expect(try place.files(with: "/j/one.sqlite") == ["state/drafts/draft-1/meta"])
      } else {
        // The same search finds them in a readable journal.
        #expect(found.allSatisfy { !$0.isEmpty })
      }
      #expect(store.abandoned().map(\.purpose) == [.edit(uuid: Self.uuid)])
      #expect(store.texts == [Self.word + " again"])
      #expect(store.count() == (0, 1))
      store.remove(draft)
      #expect(store.texts == [])
    }
  }

  @Test("without its key a draft is neither shown nor counted nor removed")
  func withoutKey() throws {
    let draft = try sealed.keep(bytes(), for: .newEntry)
    let before = try Data(contentsOf: URL(filePath: draft.path))
    let stranger = place.drafts(.sealed(try JournalKey.random()))
    let elsewhere = place.drafts(.sealed(place.key), of: "/j/two.sqlite")
    for store in [readable, stranger, elsewhere] {
      #expect(store.abandoned() == [])
      #expect(store.count() == (0, 0))
      store.remove(committed: Self.word, for: .newEntry)
      #expect(DraftKeeper(store: store).begin(.newEntry) == [])
    }
    #expect(try Data(contentsOf: URL(filePath: draft.path)) == before)
    #expect(sealed.texts == [Self.word])
    // A changed bit is no text.
    var changed = before
    changed[changed.count / 2] ^= 1
    try changed.write(to: URL(filePath: draft.path))
    #expect(sealed.abandoned() == [])
  }

  @Test("the keeper restores, changes, commits and discards sealed drafts as readable ones")
  func keeper() throws {
    let keeper = DraftKeeper(store: sealed)
    #expect(keeper.begin(.newEntry) == [])
    for text in ["Ha", "Half", "Half a"] { try keeper.keep(text) }
    #expect(sealed.texts == ["Half a"])
    let next = DraftKeeper(store: sealed)
    #expect(next.begin(.newEntry) == ["Half a"])
    try next.keep("Half a loaf", at: 0)
    #expect(sealed.texts == ["Half a loaf"])
    next.submit(at: 0)
    #expect(!next.committed("Half a loaf"))
    #expect(sealed.texts == [])
    let first = try sealed.keepOnce(bytes("same\n"), for: .newEntry)
    #expect(try sealed.keepOnce(bytes("same\n"), for: .newEntry).path == first.path)
    #expect(try sealed.keepOnce(bytes("same"), for: .edit(uuid: "u")).path != first.path)
    try sealed.change(first, to: .edit(uuid: "u"))
    #expect(sealed.abandoned().map(\.purpose) == [.edit(uuid: "u"), .edit(uuid: "u")])
    sealed.remove(committed: "same", for: .edit(uuid: "u"))
    #expect(sealed.abandoned() == [])
  }

  @Test("a draft that is being written takes the form of the file that replaces the journal")
  func followed() throws {
    let keeper = DraftKeeper(store: sealed)
    _ = keeper.begin(.newEntry)
    try keeper.keep(Self.word)
    // Unsealed elsewhere: the key is gone then.
    sealed.form = .readable
    keeper.rewrite()
    #expect(readable.texts == [Self.word])
    try keeper.keep(Self.word + " and more")
    #expect(readable.texts == [Self.word + " and more"])
    // Sealed elsewhere: nothing readable stays.
    sealed.form = .sealed(place.key)
    keeper.rewrite()
    #expect(readable.texts == [])
    #expect(try place.files(with: Self.word) == [])
    keeper.close()
    #expect(sealed.texts == [Self.word + " and more"])
    _ = keeper.begin(.newEntry)
    keeper.submit(at: 0)
    #expect(!keeper.committed(Self.word + " and more"))
    #expect(sealed.texts == [])
  }

  @Test("unseal makes readable what another screen is writing, too")
  func unsealedUnderScreen() throws {
    var draft = try sealed.keep(bytes(), for: .newEntry)
    draft.owner = try #require(ProcessStamp(running: getppid()))
    try DraftFile.write(Array(draft.meta.utf8), to: draft.directory + "/meta")
    #expect(sealed.texts == [])
    #expect(try sealed.unseal() == 1)
    #expect(try place.files(with: Self.word).count == 1)
  }

  @Test("readable drafts of the journal become sealed, with the traces of an editor")
  func adopted() throws {
    let draft = try readable.keep(
      bytes(), for: .edit(uuid: Self.uuid), file: "2026-11-22-0643.md", isFile: true)
    try Data(bytes()).write(to: URL(filePath: draft.path + "~"))
    DraftFile.setModified(draft.path, 1_700_000_000)
    _ = try readable.keep(bytes(), for: .newEntry, isSaved: true)
    let other = try place.drafts(.readable, of: "/j/two.sqlite").keep(bytes(), for: .newEntry)
    let everyones = try place.drafts(.readable, of: nil).keep(bytes(), for: .newEntry)
    #expect(sealed.texts == [Self.word, Self.word])
    #expect(sealed.abandoned().first?.purpose == .edit(uuid: Self.uuid))
    #expect(sealed.abandoned().first.map { DraftFile.modified($0.path) } == 1_700_000_000)
    // What is left is another journal's, and one that belongs to all.
    let left = [other, everyones].map { "state/drafts/\($0.name)/entry.md" }
    #expect(try place.files(with: Self.word).sorted() == left)
    #expect(try place.files(with: Self.uuid) == [])
    try sealed.update(everyones, text: Self.word)
    #expect(try place.files(with: Self.word) == [left[0]])
    #expect(readable.abandoned() == [])
    #expect(sealed.texts == [Self.word, Self.word])
  }

  @Test("a file is overwritten before it is removed")
  func overwritten() throws {
    let draft = try readable.keep(bytes(), for: .newEntry)
    let file = try FileHandle(forReadingFrom: URL(filePath: draft.path))
    let meta = try FileHandle(forReadingFrom: URL(filePath: draft.directory + "/meta"))
    #expect(sealed.texts == [Self.word])
    for handle in [file, meta] {
      let left = try #require(try handle.readToEnd())
      #expect(!left.isEmpty && left.allSatisfy { $0 == 0 })
    }
  }

  @Test("a conversion that was killed anywhere is completed, and loses nothing")
  func killedConversion() throws {
    let draft = try readable.keep(bytes(), for: .newEntry)
    let files = ["entry.md", "meta"].map { draft.directory + "/" + $0 }
    let old = try files.map { try Data(contentsOf: URL(filePath: $0)) }
    #expect(sealed.texts == [Self.word])
    let new = try Data(contentsOf: URL(filePath: files[1]))
    // Killed before the new meta, and before the readable file went.
    for meta in [old[1], new] {
      try old[0].write(to: URL(filePath: files[0]))
      try old[1].write(to: URL(filePath: files[1] + ".old"))
      try meta.write(to: URL(filePath: files[1]))
      #expect(sealed.texts == [Self.word])
      #expect(try place.files(with: Self.word) == [])
      #expect(try FileManager.default.contentsOfDirectory(atPath: draft.directory).count == 2)
    }
  }

  @Test("a text for a locked journal is sealed to its public key, and is its draft when it opens")
  func locked() throws {
    let path = try place.journal()
    let header = try #require(try Sealing.header(of: JournalLocation(path: path, isExplicit: true)))
    let locked = place.drafts(.locked(header.boxKey))
    let draft = try locked.keep(bytes(), for: .newEntry)
    #expect(locked.abandoned() == [] && readable.abandoned() == [])
    #expect(try place.files(with: Self.word) == [])
    #expect(sealed.texts == [Self.word])
    let found = try #require(sealed.abandoned().first)
    try sealed.update(found, text: "Mirabellen")
    #expect(sealed.texts == ["Mirabellen"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: draft.directory).sorted()
        == ["meta", "sealed"])
  }

  @Test("the form is that of the journal's file: readable, locked, or sealed with its key")
  func forms() throws {
    let sealedJournal = JournalLocation(path: try place.journal(), isExplicit: true)
    #expect(try DraftForm(of: sealedJournal).storage == .sealed)
    JournalKey.forget(id: place.key.id)
    #expect(try DraftForm(of: sealedJournal).storage == .boxed)
    for name in ["missing.sqlite", "journal.json"] {
      let location = JournalLocation(path: "\(place.disk)/\(name)", isExplicit: true)
      #expect(try DraftForm(of: location).storage == .readable)
    }
    let store = try SQLiteEntryStore(clock: .system)
    #expect(DraftForm(of: store).storage == .readable)
    // Not even where it cannot be sealed.
    var bytes = try Data(contentsOf: URL(filePath: sealedJournal.path))
    for index in 16..<8_192 { bytes[index] ^= 0xFF }
    try bytes.write(to: URL(filePath: sealedJournal.path))
    #expect(throws: Failure.self) { try DraftForm(of: sealedJournal) }
  }

  @Test("the drafts of an unsealed journal are readable again")
  func unsealed() throws {
    _ = try sealed.keep(bytes(), for: .edit(uuid: Self.uuid))
    _ = try sealed.keep(bytes("two"), for: .newEntry)
    #expect(try sealed.unseal() == 2)
    #expect(readable.texts == [Self.word, "two"])
    #expect(readable.abandoned().first?.purpose == .edit(uuid: Self.uuid))
    // Sealed again where unsealing was killed.
    #expect(sealed.texts == [Self.word, "two"])
    #expect(try place.files(with: Self.word) == [])
  }

  // MARK: Editors

  @Test("an editor's file is in memory, and sealed as soon as the editor has ended")
  func editor() throws {
    for (base, isSaved) in [("", true), ("old", true), (Self.word, false)] {
      let session = try EditorSession(
        base, for: .edit(uuid: Self.uuid), written: Moment(seconds: 1_795_329_780, offset: 0),
        in: sealed, isSaved: isSaved)
      #expect(try session.draft.path.hasPrefix(place.ownMemory + "/draft-"))
      #expect(!session.draft.path.contains("2026"))
      let outcome = try session.run(editor: "f() { echo 'Bread \(Self.word)' >>\"$1\"; }; f")
      #expect(outcome == .changed((base.isEmpty ? "" : base + "\n") + "Bread \(Self.word)"))
      #expect(try place.files(with: Self.word) == [])
      #expect(place.isMemoryEmpty)
      #expect(sealed.texts.last?.hasSuffix("Bread \(Self.word)") == true)
      session.finish()
      #expect(try FileManager.default.contentsOfDirectory(atPath: place.state + "/drafts") == [])
    }
  }

  @Test("what a failing or killed editor left is a sealed draft")
  func failingEditor() throws {
    for end in ["exit 3", "kill -9 $$"] {
      let session = try EditorSession(
        "old", for: .newEntry, written: Moment(seconds: 0, offset: 0), in: sealed)
      #expect(throws: Failure.self) {
        try session.run(editor: "f() { echo \(Self.word) >\"$1\"; \(end); }; f")
      }
      #expect(sealed.texts == [Self.word])
      #expect(try place.files(with: Self.word) == [])
      #expect(place.isMemoryEmpty)
      session.finish()
      #expect(sealed.texts == [])
    }
  }

  @Test("an editor's text survives this program, and an unsaved one also the memory")
  func killedProgram() throws {
    let saved = try sealed.keepForEditor(
      bytes("old\n"), for: .newEntry, file: "f.md", isSaved: true)
    let unsaved = try sealed.keepForEditor(
      bytes("typed\n"), for: .newEntry, file: "f.md", isSaved: false)
    #expect(sealed.texts == ["typed"])
    try DraftFile.write(bytes("\(Self.word) 1\n"), to: saved.path)
    try DraftFile.write(bytes("\(Self.word) 2\n"), to: unsaved.path)
    for draft in [saved, unsaved] { try place.end(ownerOf: draft) }
    // After an unseal elsewhere they are offered, and stay in memory until they are changed.
    #expect(readable.texts == ["\(Self.word) 1", "\(Self.word) 2"])
    #expect(try place.files(with: Self.word) == [])
    #expect(place.drafts(.sealed(try JournalKey.random()), of: "/j/two.sqlite").abandoned() == [])
    #expect(sealed.texts == ["\(Self.word) 1", "\(Self.word) 2"])
    #expect(try place.files(with: Self.word) == [])
    #expect(place.isMemoryEmpty)
    // A power cut: what was in memory is gone.
    let last = try sealed.keepForEditor(
      bytes("typed before\n"), for: .newEntry, file: "f.md", isSaved: false)
    try FileManager.default.removeItem(atPath: last.directory)
    #expect(sealed.texts.last == "typed before")
  }

  @Test("editors of two homes at the same time keep their texts, also with the same names")
  func twoHomes() throws {
    var last = 0
    let stores = ["one", "two"].map { home in
      DraftStore(
        directory: "\(place.disk)/\(home)/drafts", journal: "/j/one.sqlite",
        form: .sealed(place.key), memory: MemoryDirectory(candidates: [place.memory])
      ) {
        last += 1
        return "draft-\(last / 2)"
      }
    }
    let drafts = try (0..<6).map { number in
      try stores[number % 2].keepForEditor(
        bytes("old\n"), for: .newEntry, file: "f.md", isSaved: number < 4)
    }
    #expect(Set(drafts.map(\.path)).count == 6)
    #expect(Set(drafts.map(\.name)).count < 6)
    for (number, draft) in drafts.enumerated() {
      try DraftFile.write(bytes("text \(number)\n"), to: draft.path)
    }
    // What one home removes takes nothing of the other.
    for draft in [drafts[0], drafts[4]] { stores[0].remove(draft) }
    #expect(stores[0].texts == ["text 2"])
    #expect(stores[1].texts == ["text 1", "text 3", "text 5"])
  }

  @Test("a draft that goes leaves no readable bytes of what was beside it on the disk")
  func wiped() throws {
    let draft = try sealed.keep(bytes("sealed"), for: .newEntry)
    let left = URL(filePath: draft.directory + "/entry.md")
    try Data(Self.word.utf8).write(to: left)
    // An open file shows whether its bytes are overwritten before it goes.
    let open = try FileHandle(forReadingFrom: left)
    sealed.remove(draft)
    #expect(!FileManager.default.fileExists(atPath: draft.directory))
    let rest = String(decoding: try open.readToEnd() ?? Data(), as: UTF8.self)
    #expect(!rest.contains(Self.word))
  }

  @Test("an editor's file where an earlier build put it is found, sealed and removed")
  func earlierMemory() throws {
    let own = try sealed.keepForEditor(bytes("old\n"), for: .newEntry, file: "f.md", isSaved: true)
    let earlier = "\(place.memory)/\(own.name)"
    try FileManager.default.moveItem(atPath: own.directory, toPath: earlier)
    try DraftFile.write(
      bytes("\(Self.word)\n"), to: own.path.replacing(own.directory, with: earlier))
    // Another home's draft of this name leaves it alone.
    let other = place.drafts(.sealed(place.key), of: "/j/two.sqlite", home: "other")
    other.remove(
      Draft(
        name: own.name, directory: "\(place.disk)/other/drafts/\(own.name)", purpose: .newEntry,
        owner: .current, journal: nil))
    #expect(sealed.texts == [Self.word])
    let found = try #require(sealed.abandoned().first)
    #expect(found.directory == earlier)
    sealed.remove(found)
    #expect(sealed.texts == [] && place.isMemoryEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.state + "/drafts") == [])
  }

  @Test("without a private directory in memory there is no editor, and nothing is written")
  func noMemory() throws {
    let open = place.memory + "/open"
    try FileManager.default.createDirectory(atPath: open, withIntermediateDirectories: true)
    chmod(open, 0o755)
    let link = place.memory + "/link"
    try DraftFile.makeDirectory(place.memory + "/real")
    symlink(place.memory + "/real", link)
    let onDisk = place.disk + "/private"
    let memory = MemoryDirectory(candidates: [open, link, onDisk, "/dev/shm/none/none"])
    #expect(memory.existing(for: place.state) == [] && memory.shared == [])
    #expect(throws: Failure.self) { try memory.make(for: place.state) }
    let store = DraftStore(directory: place.state, form: .sealed(place.key), memory: memory) { "d" }
    #expect(throws: Failure.self) {
      try EditorSession(
        Self.word, for: .newEntry, written: Moment(seconds: 0, offset: 0), in: store)
    }
    #expect(try place.files(with: Self.word) == [])
    let good = MemoryDirectory(candidates: [open, place.memory + "/good"])
    #expect(try good.make(for: place.state).hasPrefix(place.memory + "/good/"))
    #expect(good.shared == [place.memory + "/good"])
  }

  @Test("known editors are asked to write nothing but their file")
  func traceless() {
    let vim = "-n -i NONE -c 'silent! set nobackup nowritebackup noundofile noswapfile'"
    #expect(EditorProcess.command("nvim", line: 3, leavesNoTrace: true) == "nvim \(vim) +3")
    #expect(
      EditorProcess.command("/opt/vim -y", line: nil, leavesNoTrace: true) == "/opt/vim -y \(vim)")
    #expect(
      EditorProcess.command("nano", line: 1, leavesNoTrace: true) == "nano --ignorercfiles +1")
    #expect(EditorProcess.command("code --wait", line: 1, leavesNoTrace: true) == "code --wait")
    #expect(EditorProcess.command("nvim", line: 3) == "nvim +3")
    for wrapped in [
      "env vim", "TERM=xterm vim", "'vim'", "\"vim\"", "exec vim", "\\vim", "v'i'm", " \tvim",
      "env -i -u HOME A=1 vim", "nice -n 5 vim", "nice -5 vim", "command /usr/bin/vim",
      "A=1 B='2 3' env C=4 nohup exec vim -y", "cd /tmp && vim", "(vim", "true; /a\\ b/vim",
      "/usr/bin/env TERM=xterm vim",
    ] {
      let command = EditorProcess.command(wrapped, line: 2, leavesNoTrace: true)
      #expect(command == "\(wrapped) \(vim) +2")
    }
    for other in ["", "env", "vim; code", "A=vim code", "code vim", "'vim code'"] {
      #expect(EditorProcess.command(other, line: nil, leavesNoTrace: true) == other)
    }
    // The same name may be Vim, or an editor without these options.
    #expect(EditorProcess.traceless("vi", "vim.tiny") == vim)
    #expect(EditorProcess.traceless("vi", "nvi") == nil)
    #expect(EditorProcess.traceless("emacs", "emacs-28.2")?.hasPrefix("--eval ") == true)
  }
}
