import Foundation
import JournalStore
import Screen
import Seal
import Testing

@testable import daybook

/// What a person is asked for while other programs go on.
@Suite("Unlocking while others change the journal")
struct UnlockingTests {
  private func answer(_ text: String) -> Passphrase { Passphrase(Array(text.utf8)) }

  private var settings: Settings {
    var settings = Settings()
    settings.sealKeep = 0
    return settings
  }

  @Test("a journal that was unsealed while its passphrase was asked for opens without it")
  func unsealed() throws {
    let place = try SealedPlace()
    let location = JournalLocation(path: try place.journal(), isExplicit: true)
    _ = try SQLiteEntryStore.open(location.path, mode: .create)
    JournalKey.forget(id: place.key.id)
    var asked = 0
    let unlocking = Unlocking(settings, known: nil) {
      { _ in
        asked += 1
        place.key.register()
        try? Sealing(location).unseal()
        JournalKey.forget(id: place.key.id)
        return Passphrase(Array("any".utf8))
      }
    }
    #expect(try unlocking.unlock(location) == nil)
    #expect(asked == 1)
    #expect(try SQLiteEntryStore.open(location.path, mode: .readWrite).key == nil)
  }

  @Test("a passphrase that was changed while it was asked for is the new one")
  func changed() throws {
    let place = try SealedPlace()
    let location = JournalLocation(path: try place.journal(), isExplicit: true)
    _ = try SQLiteEntryStore.open(location.path, mode: .create)
    JournalKey.forget(id: place.key.id)
    let new = Passphrase(Array("battery staple".utf8))
    var asked = 0
    let unlocking = Unlocking(settings, known: nil) {
      { _ in
        asked += 1
        place.key.register()
        try? Sealing(location).change { _, key in
          try KeySlots(
            key: key, passphrase: new, recovery: nil, cost: DerivationCost(passes: 1, memory: 8192))
        }
        JournalKey.forget(id: place.key.id)
        return new
      }
    }
    #expect(try unlocking.unlock(location)?.id == place.key.id)
    #expect(asked == 1)
  }
}
