import Foundation
import Journal
import JournalStore
import Seal
import TestSupport
import Testing

@testable import daybook

/// `seal`, `unseal`, `passphrase`, `lock` and `unlock`, as people and scripts run them.
@Suite("Commands of sealed journals")
struct SealCommandTests {
  private let program: Program
  private var journal: String { program.home.appending(path: "j.sqlite").path }

  init() throws {
    program = try Program()
    for text in ["canaryword one #canarytag", "two"] {
      try #require(program.run(["--journal", journal, "add", text]).code == 0)
    }
  }

  private func run(_ words: String..., passphrase: String? = nil) throws -> Program.Result {
    let given = passphrase.map { "3<<<'\($0)'" } ?? ""
    let variable = passphrase == nil ? "" : "DAYBOOK_PASSPHRASE_FD=3 "
    let line = words.map { "'\($0)'" }.joined(separator: " ")
    return try program.shell(
      "\(variable)daybook --journal '\(journal)' \(line) \(given) </dev/null")
  }

  private func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

  private func filesWith(_ word: String) throws -> [String] {
    let files = FileManager.default.enumerator(atPath: program.home.path)
    return try (files?.allObjects as? [String] ?? []).filter { name in
      let path = program.home.appending(path: name).path
      var isDirectory: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory),
        !isDirectory.boolValue
      else { return false }
      return try bytes(path).range(of: Data(word.utf8)) != nil
    }
  }

  @Test("a journal is sealed, locked, opened by its passphrase or recovery key, and unsealed")
  func roundTrip() throws {
    #expect(try filesWith("canaryword") == ["j.sqlite"])
    let sealed = try run("seal", passphrase: SealedProgram.passphrase)
    #expect(sealed.code == 0, "\(sealed.errors)")
    #expect(try filesWith("canary") == [])
    let words = sealed.output.split(whereSeparator: \.isWhitespace)
    let recovery = try #require(words.first { RecoveryKey(String($0)) != nil })
    try SealedProgram.lock(journal)
    let refused = try run("list")
    #expect(refused.code == 77 && refused.output == "" && refused.errors.contains("locked"))
    let before = try bytes(journal)
    let wrong = try run("list", passphrase: "wrong")
    #expect(wrong.code == 77 && wrong.errors.contains("wrong"))
    #expect(try bytes(journal) == before)
    let open = try run("list", passphrase: SealedProgram.passphrase)
    #expect(open.code == 0 && open.output.contains("canaryword one"))
    // A passphrase from a descriptor is for this command, unless the keyring keeps the key.
    try SealedProgram.lock(journal)
    let header = try #require(
      try Sealing.header(of: JournalLocation(path: journal, isExplicit: true)))
    let key = try header.wrappedKey.key(recovery: #require(RecoveryKey(String(recovery))))
    #expect(key.id == header.id)
    let readable = try run("unseal", "--yes", passphrase: SealedProgram.passphrase)
    #expect(readable.code == 0, "\(readable.errors)")
    #expect(try run("list").output.contains("canaryword one"))
    #expect(try run("doctor").code == 0)
  }

  @Test("an entry added to a locked journal needs no passphrase, and is taken in once")
  func addingLocked() throws {
    try SealedProgram.sealLightly(journal)
    try SealedProgram.lock(journal)
    let added = try run("add", "canaryword while locked")
    #expect(added.code == 0 && added.output.hasPrefix("-\t"))
    let uuid = added.output.dropFirst(2).prefix(36)
    #expect(try filesWith("canaryword") == [] && filesWith(String(uuid)) == [])
    #expect(try run("list").code == 77)
    let unlocked = try run("list", "--format", "jsonl", passphrase: SealedProgram.passphrase)
    #expect(unlocked.output.contains("canaryword while locked") && unlocked.output.contains(uuid))
    #expect(unlocked.errors.contains("1 entry added while the journal was locked"))
    let again = try run("list", "--format", "jsonl", passphrase: SealedProgram.passphrase)
    #expect(again.output == unlocked.output && again.errors == "")
  }

  @Test("the keyring keeps a key for all commands until lock")
  func keyring() throws {
    try SealedProgram.sealLightly(journal)
    try SealedProgram.lock(journal)
    let unlocked = try run("unlock", "--for", "1h", passphrase: SealedProgram.passphrase)
    guard unlocked.code == 0 else {
      // No keyring here, as in many containers: it is said, and nothing stays open.
      #expect(unlocked.errors.contains("keyring"))
      #expect(try run("list").code == 77)
      return
    }
    #expect(try run("list").output.contains("canaryword"))
    #expect(try run("lock").code == 0)
    #expect(try run("list").code == 77)
  }

  @Test("a Tab on a locked journal asks for nothing and has no candidates")
  func completing() throws {
    let words = ["daybook", "--journal", journal, "show", ""]
    #expect(ShellCompletion(words: words, shell: nil).candidates(.entries).count == 2)
    _ = try run("seal", passphrase: SealedProgram.passphrase)
    try SealedProgram.lock(journal)
    #expect(ShellCompletion(words: words, shell: nil).candidates(.entries) == [])
    try SealedProgram.register(journal)
    #expect(ShellCompletion(words: words, shell: nil).candidates(.entries).count == 2)
  }

  @Test("passphrase_command opens the journal; a failing command leaves it locked")
  func command() throws {
    try SealedProgram.sealLightly(journal)
    try SealedProgram.lock(journal)
    try SealedProgram.configure(program)
    #expect(try run("list").output.contains("canaryword"))
    try SealedProgram.lock(journal)
    try Data("[seal]\npassphrase_command = \"exit 3\"\nkeep = \"0\"\n".utf8)
      .write(to: program.home.appending(path: ".config/daybook/config.toml"))
    let failed = try run("list")
    #expect(failed.code == 77 && failed.errors.contains("ended with 3"))
  }

  @Test("a weak or an empty passphrase, a JSON journal and a second seal are refused")
  func refused() throws {
    #expect(try run("seal", passphrase: "").code == 65)
    let weak = try run("seal", passphrase: "aaaa1234")
    #expect(weak.code == 1 && weak.errors.contains("guess"))
    #expect(try run("seal", "--yes", passphrase: "aaaa1234").code == 0)
    #expect(try run("seal", passphrase: SealedProgram.passphrase).code == 1)
    let json = try program.shell(
      "daybook --journal $HOME/j.json add x; daybook --journal $HOME/j.json seal </dev/null")
    #expect(json.code == 78 && json.errors.contains("readable by nature"))
  }

  @Test("a sealed journal is imported with its passphrase, and exported readable")
  func transfer() throws {
    try SealedProgram.sealLightly(journal)
    try SealedProgram.lock(journal)
    let source = journal
    let other = program.home.appending(path: "other.sqlite").path
    func importing(_ passphrase: String?) throws -> Program.Result {
      let given = passphrase.map {
        "DAYBOOK_PASSPHRASE_FD=3 daybook --journal '\(other)' import '\(source)' 3<<<'\($0)'"
      }
      return try program.shell(
        given ?? "daybook --journal '\(other)' import '\(source)' </dev/null")
    }
    let locked = try importing(nil)
    #expect(locked.code == 77 && locked.errors.contains("locked"))
    #expect(try importing(SealedProgram.passphrase).output.hasPrefix("added 2,"))
    let exported = try run("export", "--format", "jsonl", passphrase: SealedProgram.passphrase)
    #expect(exported.output.contains("canaryword one"))
  }

  @Test("readable copies beside the journal are named")
  func copies() throws {
    let copy = program.home.appending(path: "j-copy.sqlite").path
    try #require(run("backup", copy).code == 0)
    let other = program.home.appending(path: "before the seal.sqlite").path
    try #require(run("backup", other).code == 0)
    try Data("SQLite format 3".utf8).write(to: program.home.appending(path: "others.db"))
    let errors = try run("seal", passphrase: SealedProgram.passphrase).errors
    #expect(errors.contains("j-copy.sqlite") && errors.contains("before the seal.sqlite"))
    #expect(!errors.contains("others.db"))
  }

  @Test("a seal that fails at any change leaves the readable journal, or says what it left")
  func failing() throws {
    try SealedProgram.configure(program)
    let before = try run("list", "--format", "jsonl").output
    let readable = try bytes(journal)
    let mark = program.home.appending(path: "mark").path
    let shim = try FaultShim.path()
    let location = JournalLocation(path: journal, isExplicit: true)
    var (failed, unwiped) = (0, 0)
    for number in Sample(oneIn: 9, of: "seal").prefix(200) {
      // Its directory, too.
      let result = try program.shell(
        """
        export FAULT_DIR='\(program.home.path)' FAULT_AT=\(number) FAULT_ERRNO=28
        export FAULT_MARK='\(mark)' LD_PRELOAD='\(shim)' DAYBOOK_PASSPHRASE_FD=3
        daybook --journal '\(journal)' seal 3<<<'\(SealedProgram.passphrase)' >/dev/null
        """)
      #expect(try run("list", "--format", "jsonl").output == before, "change \(number)")
      #expect(try run("doctor").code == 0, "change \(number)")
      let isSealed = try Sealing.header(of: location) != nil
      #expect(isSealed == (result.code == 0), "change \(number): \(result.errors)")
      failed += isSealed ? 0 : 1
      unwiped += result.errors.contains("could not be overwritten") ? 1 : 0
      guard access(mark, F_OK) == 0 else { break }
      unlink(mark)
      let files = isSealed ? try filesWith("canaryword") : []
      #expect(files == [], "change \(number)")
      unlink(journal)
      try readable.write(to: URL(filePath: journal))
      chmod(journal, 0o600)
      // The device knows no sealed journal there.
      unlink(program.home.path + "/.local/state/daybook/sealed-keys")
    }
    #expect(failed > 0)
    // Some samples meet none.
    if ProcessInfo.processInfo.environment["FAULT_STRIDE"] == "1" { #expect(unwiped > 0) }
    #expect(try filesWith("canaryword") == [])
  }

  @Test(
    "a commit that fails at any change leaves a sealed journal that opens, with what it had",
    arguments: [true, false])
  func failingCommits(isSticky: Bool) throws {
    try SealedProgram.make(journal, program)
    try #require(run("add", "kept").code == 0)
    var failures = 0
    for number in Sample(oneIn: 7, of: "commit \(isSticky)").prefix(200) {
      let (result, isHit) = try program.run(
        ["--journal", journal, "add", "new \(number)"], failing: number, with: EIO,
        sticky: isSticky, under: program.home.appending(path: "j").path)
      let list = try run("list")
      #expect(list.code == 0 && list.output.contains("kept"), "change \(number): \(list.errors)")
      #expect(result.code != 0 || list.output.contains("new \(number)"), "change \(number)")
      // A reader leaves the rollback journal alone; the next writer finishes it.
      let next = try run("add", "after \(number)")
      #expect(next.code == 0, "change \(number): \(next.errors)")
      let doctor = try run("doctor")
      #expect(doctor.code == 0, "change \(number): \(doctor.output) \(doctor.errors)")
      guard isHit else { break }
      failures += 1
    }
    #expect(failures > 0)
  }

  /// Runs a command that is killed before its n-th change to a file beside the journal, for growing
  /// n, until it ends by itself.
  ///
  /// - Returns: how often it was killed.
  private func killing(
    _ command: String, _ descriptors: String, orCode end: Int32 = 0,
    _ check: (String) throws -> Void
  ) throws -> Int {
    var kills = 0
    for number in sequence(first: 1, next: { $0 + max(1, $0 / 3) }) {
      let result = try program.shell(
        """
        export FAULT_DIR='\(program.home.path)/j' FAULT_AT=\(number) FAULT_KILL=1
        export DAYBOOK_PASSPHRASE_FD=3 DAYBOOK_NEW_PASSPHRASE_FD=4 LD_PRELOAD='\(FaultShim.path())'
        daybook --journal '\(journal)' \(command) \(descriptors) >/dev/null
        """)
      try check("\(command), killed before change \(number)")
      if result.code == 0 || result.code == end { break }
      try #require(result.code == 128 + SIGKILL, "\(result.errors)")
      kills += 1
    }
    return kills
  }

  @Test("a seal, a change of the passphrase and an unseal that are killed leave a whole journal")
  func killed() throws {
    let (old, new) = (SealedProgram.passphrase, "other words that nobody ever guessed")
    let list = try run("list", "--format", "jsonl").output
    func opened(_ passphrases: [String], _ note: String) throws {
      let isSealed = try Sealing.header(of: .init(path: journal, isExplicit: true)) != nil
      try SealedProgram.lock(journal)
      let outputs = try passphrases.map {
        try run("list", "--format", "jsonl", passphrase: isSealed ? $0 : nil).output
      }
      #expect(outputs.contains(list), "\(note)")
    }
    // Killed after the sealed file took its place, the next one has nothing to do: 1.
    #expect(try killing("seal", "3<<<'\(old)'", orCode: 1) { try opened([old], $0) } > 5)
    // Killed after the first of both copies of the header, the new passphrase is in force: 77.
    #expect(
      try killing("passphrase", "3<<<'\(old)' 4<<<'\(new)'", orCode: 77) {
        try opened([old, new], $0)
      } > 0)
    #expect(try run("doctor", passphrase: new).code == 0)
    #expect(
      try killing("unseal --yes", "3<<<'\(new)'", orCode: 1) { try opened([new], $0) } > 5)
    #expect(try run("doctor").code == 0)
  }

  @Test("no argument and no variable of a program that is started has a word of the journal")
  func startedPrograms() throws {
    try SealedProgram.sealLightly(journal, program)
    let (home, log) = (program.home.path, program.home.appending(path: "started.log").path)
    let result = try program.shell(
      """
      mkdir -p '\(home)/bin'
      for name in git editor pager; do
        cat >'\(home)/bin/'$name <<'END'
      #!/bin/bash
      { echo "started $0 $*"; env; cat /proc/$PPID/cmdline /proc/$PPID/environ; } >>'\(log)' 2>/dev/null
      case $0 in
      *git) exec /usr/bin/git "$@" ;;
      *editor) echo 'canaryword from the editor' >>"${@: -1}" ;;
      *) cat ;;
      esac
      END
        chmod 700 '\(home)/bin/'$name
      done
      export PATH='\(home)/bin':$PATH EDITOR='\(home)/bin/editor' PAGER='\(home)/bin/pager'
      export XDG_RUNTIME_DIR=/dev/shm DAYBOOK_JOURNAL='\(journal)'
      script -qec "$(declare -f daybook); daybook edit 1" /dev/null </dev/null >/dev/null
      daybook sync --remote '\(home)/remote.git' && daybook list canaryword
      """)
    #expect(result.code == 0 && result.output.contains("canaryword"), "\(result.errors)")
    #expect(try run("show", "1").output.contains("from the editor"))
    let started = String(decoding: try bytes(log), as: UTF8.self)
    for name in ["git", "editor"] { #expect(started.contains("started \(home)/bin/\(name)")) }
    #expect(!started.contains("canary") && !started.contains(SealedProgram.passphrase))
  }

  @Test("a program that crashes while it has a key leaves no core dump")
  func coreDumps() throws {
    try SealedProgram.sealLightly(journal, program)
    let crash = try program.shell(
      """
      cd '\(program.home.path)'; ulimit -c unlimited
      '\(Program.binary.path)' --journal '\(journal)' watch >watched & sleep 0.2
      until grep -q . watched || ! kill -0 $!; do
        daybook --journal '\(journal)' add noticed >/dev/null; sleep 0.1
      done
      kill -SEGV $!; wait $!
      """)
    #expect(crash.code == 128 + SIGSEGV, "\(crash.errors)")
    #expect(!crash.errors.contains("core dumped"))
    let files = try FileManager.default.contentsOfDirectory(atPath: program.home.path)
    #expect(!files.contains { $0.hasPrefix("core") })
  }

  @Test("no write of any command over a sealed journal has a word of it")
  func writes() throws {
    try SealedProgram.sealLightly(journal, program)
    let log = FileManager.default.temporaryDirectory
      .appending(path: "daybook-log-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: log) }
    let result = try program.shell(
      """
      export FAULT_DIR='/' FAULT_LOG='\(log)' LD_PRELOAD='\(try FaultShim.path())'
      export DAYBOOK_JOURNAL='\(journal)'
      for number in 1 2 3 4 5; do echo "canaryword $number #canarytag" | daybook add; done
      echo 'canaryword edited' | daybook edit 3 -; daybook star 2; daybook delete 4; daybook undo
      daybook list canaryword; daybook tags; daybook stats; daybook history 3
      daybook backup $HOME/copy.sqlite; daybook doctor
      printf '/canaryword\\rjjf#canarytag\\ra%s\\rq' 'canaryword typed' | daybook
      """)
    #expect(result.output.contains("canaryword"))
    let operations = try WriteLog(log).operations
    #expect(operations.count > 100)
    for operation in operations where operation.kind == "W" {
      for word in ["canary", "CREATE TABLE"] {
        #expect(
          Data(operation.data).range(of: Data(word.utf8)) == nil, "\(word) in \(operation.name)")
      }
    }
  }
}

@Suite("Parts of unlocking")
struct UnlockingPartTests {
  @Test("times of the keyring are read and written in their shortest form")
  func times() {
    for (text, seconds) in [("10m", 600), ("8h", 28_800), ("2d", 172_800), ("90s", 90), ("0", 0)] {
      #expect(KeepTime(text)?.seconds == UInt32(seconds))
      #expect(KeepTime(text)?.text == text)
    }
    #expect(KeepTime("120m")?.text == "2h")
    for wrong in ["", "10", "m", "-1h", "1w", "0m", "1.5h", "999999999d", "٣m"] {
      #expect(KeepTime(wrong) == nil, "\(wrong)")
    }
  }

  @Test("a secret line takes text, Backspace by characters, ^U, Enter, ^C and ^D")
  func line() {
    var line = SecretLine()
    for byte in Array("añb🦊".utf8) { #expect(line.press(byte) == .typed) }
    #expect(line.count == 4)
    #expect(line.press(0x7F) == .typed)
    #expect(line.count == 3)
    #expect(line.press(0x0D) == .entered)
    let taken = line.take()
    #expect(taken.bytes == Array("añb".utf8))
    #expect(line.press(0x04) == .cancelled)
    #expect(line.press(UInt8(ascii: "x")) == .typed)
    #expect(line.press(0x15) == .typed && line.count == 0)
    #expect(line.press(0x03) == .cancelled)
    for _ in 0..<5000 { _ = line.press(UInt8(ascii: "y")) }
    #expect(line.count == Passphrase.longestRead + 1)
    #expect(line.take().isTooLong)
  }

  @Test("passphrases that people guess first are called weak, four random words are not")
  func strength() {
    func bits(_ text: String) -> Double { PassphraseStrength(Passphrase(Array(text.utf8))).bits }
    for weak in [
      "", "password", "12345678", "aaaaaaaaaaaaaaaa", "qwertz", "Summer2026", "abcdefgh",
      "correct horse battery staple", "Correct-Horse-Battery-Staple1!",
    ] {
      #expect(bits(weak) < PassphraseStrength.weak, "\(weak) \(bits(weak))")
    }
    for good in ["copper lantern meadow sixteen", "7Xk!m2Qv#p", "sechs Wörter die keiner rät"] {
      #expect(bits(good) >= PassphraseStrength.weak, "\(good) \(bits(good))")
    }
  }
}
