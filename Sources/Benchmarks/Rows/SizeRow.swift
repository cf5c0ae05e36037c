import Foundation
import GRDB

/// Row 15: the size of the file beside the texts alone.
struct SizeRow {
  let bench: Bench

  func measure() throws -> [Figure] {
    let journal = try bench.data.sample(bench.large)
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: journal, configuration: configuration)
    let texts = try queue.read {
      try Int.fetchOne($0, sql: "SELECT sum(length(CAST(text AS BLOB))) FROM entry") ?? 0
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: journal)
    let size = (attributes[.size] as? NSNumber)?.doubleValue ?? 0
    return [
      Figure(
        row: 15, name: "file size, \(Bench.words(bench.large)) entries", value: size / 1_048_576,
        unit: .mebibytes, peer: ("the texts alone", Double(texts) / 1_048_576))
    ]
  }
}
