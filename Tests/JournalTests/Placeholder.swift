@testable import Journal
