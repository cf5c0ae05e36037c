import Files
import JournalFormats
import JournalStore

/// The SQLite file of another program, for the formats that read one.
struct DatabaseOnDisk: ForeignDatabase {
  private let file: OtherDatabase
  private let path: String

  /// Opens a file for reading.
  ///
  /// - Throws: ``StoreError`` when it cannot be read.
  init(_ path: String) throws { (file, self.path) = (try OtherDatabase(path: path), path) }

  var tables: [String: Set<String>] { file.tables }

  /// The error for a file that no format reads.
  var unknown: StoreError { file.unknown }

  func rows(_ selection: ForeignSelection) throws -> [ForeignRow] {
    let match = selection.match.map { ($0.column, OtherDatabase.Value($0.value)) }
    let rows = try file.rows(
      OtherDatabase.Selection(
        table: selection.table, columns: selection.columns, match: match, after: selection.after,
        limit: selection.limit))
    return rows.map { row in
      ForeignRow(
        id: row.id, columns: selection.columns, values: row.values.map { ForeignValue($0) })
    }
  }
}

extension DatabaseOnDisk {
  func files(in directories: Set<String>) -> (any ImportDirectory)? {
    let found = DirectoriesOnDisk(below: Directory.of(path), directories)
    return found.files.isEmpty ? nil : found
  }
}

/// Some directories of another one.
private struct DirectoriesOnDisk: ImportDirectory {
  let files: [String]
  private let directories: [String: DirectoryOnDisk]

  init(below path: String, _ names: Set<String>) {
    var found: [String: DirectoryOnDisk] = [:]
    for name in names where !name.contains("/") && !name.hasPrefix(".") && !name.isEmpty {
      found[name] = try? DirectoryOnDisk("\(path)/\(name)")
    }
    directories = found
    files = found.sorted { $0.key < $1.key }.flatMap { name, directory in
      directory.files.map { "\(name)/\($0)" }
    }
  }

  func open(_ file: String) throws -> ByteStream {
    guard let (directory, rest) = part(of: file) else { throw FormatError("is not there") }
    return try directory.open(rest)
  }

  func isInside(_ file: String) -> Bool {
    part(of: file).map { $0.directory.isInside($0.rest) } ?? false
  }

  private func part(of file: String) -> (directory: DirectoryOnDisk, rest: String)? {
    let name = file.prefix { $0 != "/" }
    return directories[String(name)].map { ($0, String(file.dropFirst(name.count + 1))) }
  }
}

extension OtherDatabase.Value {
  fileprivate init(_ value: ForeignValue) {
    self =
      switch value {
      case .null: .null
      case .integer(let number): .integer(number)
      case .real(let number): .real(number)
      case .text(let text): .text(text)
      case .blob(let bytes): .blob(bytes)
      }
  }
}

extension ForeignValue {
  fileprivate init(_ value: OtherDatabase.Value) {
    self =
      switch value {
      case .null: .null
      case .integer(let number): .integer(number)
      case .real(let number): .real(number)
      case .text(let text): .text(text)
      case .blob(let bytes): .blob(bytes)
      }
  }
}
