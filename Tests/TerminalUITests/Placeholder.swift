@testable import TerminalUI
