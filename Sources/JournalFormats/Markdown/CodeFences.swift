import Markdown

/// Tracks line by line whether lines are in fenced code.
struct CodeFences {
  private var fence: CodeFence?

  /// Whether the next line is inside code, or ends it.
  var isOpen: Bool { fence != nil }

  /// Whether a line belongs to fenced code, including the fences themselves.
  mutating func holds(_ line: ArraySlice<UInt8>) -> Bool {
    if let fence {
      if fence.isClosed(by: line) { self.fence = nil }
      return true
    }
    fence = CodeFence(opening: line)
    return isOpen
  }
}
