@testable import daybook
