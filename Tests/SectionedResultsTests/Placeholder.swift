@testable import SectionedResults
