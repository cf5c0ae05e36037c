import Journal
import SectionedResults

/// A row of `watch`: the entry's JSON without its text, or with it.
enum LiveItem {
  case row(EntryRow)
  case entry(Entry)
}

/// A batch with the rows that its line needs.
struct LiveBatch {
  /// What changed where.
  var batch: ResultsBatch
  /// The key and the rows of each inserted section.
  var sections: [(key: String, items: [LiveItem])]
  /// The rows at the other new paths.
  var items: [RowPath: LiveItem]
}

/// Writes the lines of `watch`: JSON with fields in a fixed order.
enum LiveLines {
  /// Starts the line of a reset; its sections follow.
  static func openReset(_ generation: Generation, _ line: inout [UInt8]) {
    line += "{\"event\":\"reset\",\"generation\":\(generation),\"sections\":[".utf8
  }

  /// Starts a section of a reset; its rows follow.
  static func openSection(_ key: String, isFirst: Bool, _ line: inout [UInt8]) {
    line += (isFirst ? "{\"key\":" : ",{\"key\":").utf8
    JSONText.append(key, to: &line)
    line += ",\"rows\":[".utf8
  }

  /// Appends a row, with a comma before all but the first.
  static func append(_ item: LiveItem, isFirst: Bool, _ line: inout [UInt8]) {
    if !isFirst { line.append(UInt8(ascii: ",")) }
    append(item, &line)
  }

  /// Ends a section.
  static func closeSection(_ line: inout [UInt8]) { line += "]}".utf8 }

  /// Ends the line of a reset.
  static func closeReset(_ line: inout [UInt8]) { line += "]}\n".utf8 }

  /// Appends the line of a batch.
  ///
  /// - Parameter base: what generations of the controller are counted from.
  static func append(_ change: LiveBatch, base: Generation, _ line: inout [UInt8]) {
    let batch = change.batch
    line += "{\"event\":\"batch\",\"from\":\(batch.from + base),\"to\":\(batch.to + base)".utf8
    list("deletedSections", batch.deletedSections, &line) { $1 += "\($0)".utf8 }
    list("insertedSections", Array(batch.insertedSections.indices), &line) { index, line in
      section(change.sections[index], at: batch.insertedSections[index], &line)
    }
    list("deletedRows", batch.deletedRows, &line) { append($0, &$1) }
    list("insertedRows", batch.insertedRows, &line) { path, line in
      line += "{\"at\":".utf8
      append(path, &line)
      row(change.items[path], &line)
    }
    list("moves", batch.moves, &line) { move($0, change, &$1) }
    list("updates", batch.updates, &line) { move($0, change, &$1) }
    list("counts", batch.sectionCountsAfter, &line) { $1 += "\($0)".utf8 }
    line += "}\n".utf8
  }
}

extension LiveLines {
  private static func list<Element>(
    _ name: String, _ elements: [Element], _ line: inout [UInt8],
    _ body: (Element, inout [UInt8]) -> Void
  ) {
    line += ",\"\(name)\":[".utf8
    for (index, element) in elements.enumerated() {
      if index > 0 { line.append(UInt8(ascii: ",")) }
      body(element, &line)
    }
    line.append(UInt8(ascii: "]"))
  }

  private static func section(
    _ section: (key: String, items: [LiveItem]), at index: Int, _ line: inout [UInt8]
  ) {
    line += "{\"index\":\(index),\"key\":".utf8
    JSONText.append(section.key, to: &line)
    list("rows", section.items, &line) { append($0, &$1) }
    line.append(UInt8(ascii: "}"))
  }

  private static func move(
    _ move: ResultsBatch.Move, _ change: LiveBatch, _ line: inout [UInt8]
  ) {
    line += "{\"from\":".utf8
    append(move.from, &line)
    line += ",\"to\":".utf8
    append(move.to, &line)
    row(change.items[move.to], &line)
  }

  private static func row(_ item: LiveItem?, _ line: inout [UInt8]) {
    line += ",\"row\":".utf8
    if let item { append(item, &line) }
    line.append(UInt8(ascii: "}"))
  }

  private static func append(_ path: RowPath, _ line: inout [UInt8]) {
    line += "[\(path.section),\(path.row)]".utf8
  }

  private static func append(_ item: LiveItem, _ line: inout [UInt8]) {
    switch item {
    case .row(let row): EntryJSON.append(row, to: &line)
    case .entry(let entry): EntryJSON.append(entry, to: &line)
    }
  }
}
