@testable import JournalApp
