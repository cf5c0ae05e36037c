import Markdown

/// Writes lines of Markdown into quotes and list items.
struct MarkdownLines {
  /// A quote or a list item.
  private enum Container {
    case quote(isStarted: Bool)
    /// An item with its marker, such as `- [x]`, and the columns of its further lines.
    case item(marker: String, width: Int, isStarted: Bool)

    var isStarted: Bool {
      switch self {
      case .quote(let isStarted), .item(_, _, let isStarted): isStarted
      }
    }
  }

  /// The bytes so far, without a line end.
  private(set) var bytes: [UInt8] = []
  private var containers: [Container] = []
  /// The line ends before the next line.
  private var gap = 0

  /// The number of open containers.
  var depth: Int { containers.count }

  /// Separates the next line: 1 begins a line, 2 leaves a blank line.
  ///
  /// The first line of an item is beside its marker, whatever block it begins.
  mutating func separate(_ lines: Int) {
    if case .item(_, _, false)? = containers.last {
      gap = max(gap, 1)
    } else {
      gap = max(gap, lines)
    }
  }

  /// Adds a blank line, of which there is never more than one.
  mutating func addBlank() { gap = 2 }

  /// Begins the next line without a blank line.
  mutating func join() { gap = min(gap, 1) }

  /// Opens a quote.
  mutating func openQuote() { containers.append(.quote(isStarted: false)) }

  /// Opens a list item.
  ///
  /// - Parameters:
  ///   - marker: `-` or `12.`.
  ///   - isStarted: whether its marker is on a line before: lines continue the item.
  mutating func openItem(_ marker: String, isStarted: Bool = false) {
    containers.append(
      .item(
        marker: marker, width: marker.utf8.prefix { $0 != 0x20 }.count + 1, isStarted: isStarted))
  }

  /// Adds a task box to the innermost container.
  ///
  /// - Returns: whether it is an item that has no line yet.
  mutating func addBox(_ box: String) -> Bool {
    guard case .item(let marker, let width, false)? = containers.last, !marker.hasSuffix("]")
    else { return false }
    containers[containers.count - 1] = .item(
      marker: "\(marker) \(box)", width: width, isStarted: false)
    return true
  }

  /// Closes the innermost container.
  mutating func close() { containers.removeLast() }

  /// Writes a line.
  mutating func write(_ line: some Collection<UInt8>) {
    if !bytes.isEmpty {
      let blank = blankPrefix
      for _ in 1..<max(gap, 1) {
        bytes.append(0x0A)
        bytes.append(contentsOf: blank)
      }
      bytes.append(0x0A)
    }
    let start = bytes.count
    for index in containers.indices { writePrefix(index) }
    bytes.append(contentsOf: line)
    while bytes.count > start, bytes.last == 0x20 { bytes.removeLast() }
    gap = 1
  }

  private mutating func writePrefix(_ index: Int) {
    switch containers[index] {
    case .quote:
      bytes.append(contentsOf: "> ".utf8)
      containers[index] = .quote(isStarted: true)
    case .item(let marker, let width, let isStarted):
      if isStarted {
        bytes.append(contentsOf: repeatElement(0x20, count: width))
      } else {
        bytes.append(contentsOf: "\(marker) ".utf8)
        containers[index] = .item(marker: marker, width: width, isStarted: true)
      }
    }
  }

  /// The markers of quotes on a blank line inside them.
  private var blankPrefix: [UInt8] {
    var prefix: [UInt8] = []
    for container in containers.prefix(while: \.isStarted) {
      switch container {
      case .quote: prefix.append(contentsOf: "> ".utf8)
      case .item(_, let width, _): prefix.append(contentsOf: repeatElement(0x20, count: width))
      }
    }
    while prefix.last == 0x20 { prefix.removeLast() }
    return prefix
  }
}
