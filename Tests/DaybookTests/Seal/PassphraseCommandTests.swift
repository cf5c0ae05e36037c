import Foundation
import JournalStore
import Screen
import Seal
import TestSupport
import Testing

@testable import daybook

/// The command of `seal.passphrase_command`.
@Suite("The passphrase command", .waiting)
struct PassphraseCommandTests {
  @Test(
    "a command that does not end in its time is ended with its children, and the journal stays locked",
    arguments: ["true", "trap '' TERM", "exec >/dev/null"])
  func limit(command: String) throws {
    let place = try SealedPlace()
    let location = JournalLocation(path: try place.journal(), isExplicit: true)
    JournalKey.forget(id: place.key.id)
    let pids = place.disk + "/pid"
    var settings = Settings()
    settings.passphraseCommand =
      "\(command); sh -c 'echo $$ >\"$0\"; sleep 1000; true' '\(pids)'; true"
    settings.sealKeep = 0
    let unlocking = Unlocking(settings, known: nil, commandTime: 1) { nil }
    let start = ContinuousClock.now
    let failure = #expect(throws: Failure.self) { try unlocking.unlock(location) }
    #expect(failure?.code == 77)
    #expect(failure?.message.contains("did not end within 1 second;") == true)
    #expect(start.duration(to: .now) < .seconds(30))
    #expect(JournalKey.registered(for: place.key.id) == nil)
    // The child of the shell.
    let text = try String(contentsOfFile: pids, encoding: .utf8)
    let pid = try #require(pid_t(text.trimmingCharacters(in: .newlines)))
    #expect(becomesTrue { kill(pid, 0) != 0 })
  }
}
