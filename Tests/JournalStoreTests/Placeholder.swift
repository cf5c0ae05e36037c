@testable import JournalStore
