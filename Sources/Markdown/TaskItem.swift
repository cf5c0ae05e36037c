/// A list item with a box that can be ticked.
package struct TaskItem: Equatable, Sendable {
  package var box: TaskBox
  /// The whole line where it begins.
  package var line: Block.Line
  /// Its index in ``Document/containers``.
  var container: Int
}

extension Document {
  /// The task items, in the order of the text.
  package var taskItems: [TaskItem] {
    containers.indices.compactMap { index in
      guard let item = item(index), let box = item.box else { return nil }
      return TaskItem(box: box, line: item.line, container: index)
    }
  }

  /// The text of an item's first line.
  package func words(of item: TaskItem) -> String {
    source(bytes[item.box.range.upperBound..<item.line.range.upperBound].trimmed.indices)
  }

  /// The text with an item's box toggled; only the byte in the box changes.
  package func toggling(_ item: TaskItem) -> String {
    var changed = bytes
    changed[item.box.range.lowerBound + 1] = UInt8(ascii: item.box.state == .open ? "x" : " ")
    return String(decoding: changed, as: UTF8.self)
  }
}

/// The open items of texts, for a new entry.
package enum CarriedItems {
  /// The first lines of the open items, unchanged: `  - [ ] buy bread`.
  ///
  /// Each line must still be an item without the lines above it. If indentation would make one code
  /// or part of a sentence, all lose their indentation; quote markers stay.
  ///
  /// - Complexity: linear in the bytes of the texts.
  package static func lines(from texts: [String]) -> [String] {
    let documents = texts.map { Document($0) }
    let items = documents.flatMap { document in
      document.taskItems.filter { $0.box.state == .open }.map { (document, $0) }
    }
    let lines = items.map { document, item in document.source(item.line.range) }
    let isKept = Document(lines.joined(separator: "\n")).taskItems.count == lines.count
    return isKept ? lines : items.map { document, item in document.withoutIndentation(item) }
  }
}

extension Document {
  /// The first line of an item without its indentation, but with its quote markers.
  fileprivate func withoutIndentation(_ task: TaskItem) -> String {
    guard let item = item(task.container) else { return source(task.line.range) }
    var quotes = ""
    var next = containers[task.container].parent
    while let container = next {
      if containers[container].kind == .quote { quotes += "> " }
      next = containers[container].parent
    }
    let rest = source(task.box.range.lowerBound..<task.line.range.upperBound)
    return "\(quotes)\(source(item.marker)) \(rest)"
  }
}
