import Foundation

/// Row 16: the sizes of the stripped program, of its parts, and of the Debian package.
struct ProgramRow {
  let bench: Bench

  func measure(_ report: inout Report) throws {
    let program = try ProgramFile(path: bench.daybook)
    report.add([figure("stripped program", program.stripped)])
    report.add(program.parts.map { figure("  of it \($0.name)", $0.bytes) })
    if let package = try package(&report) { report.add([figure("Debian package", package)]) }
  }

  private func figure(_ name: String, _ bytes: Int) -> Figure {
    Figure(row: 16, name: name, value: Double(bytes) / 1_048_576, unit: .mebibytes)
  }

  /// The size of a package made as `make deb` makes it; `nil` where that is not possible.
  private func package(_ report: inout Report) throws -> Int? {
    guard bench.isFull else {
      report.add(note: "only --full compresses a Debian package: row 16 is without it")
      return nil
    }
    let script = "Resources/debian/package.sh"
    let tools = ["/usr/bin/make", "/usr/bin/dpkg-deb", "/usr/bin/strip", script]
    if let missing = tools.first(where: { !FileManager.default.fileExists(atPath: $0) }) {
      report.add(note: "\(missing) is not there: row 16 is without the Debian package")
      return nil
    }
    let root = "\(bench.data.work)/deb-root"
    let output = "\(bench.data.work)/deb"
    try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
    let line = """
      make --no-print-directory install PREFIX=/usr DESTDIR='\(root)' BUILT='\(bench.daybook)' \
      2>/dev/null && sh \(script) '\(root)' 0 2026-01-01 '\(output)' 2>/dev/null
      """
    try ChildProcess(["/bin/sh", "-c", line], environment: bench.environment).wait()
    let files = try FileManager.default.contentsOfDirectory(atPath: output)
    let sizes = try files.map {
      try FileManager.default.attributesOfItem(atPath: "\(output)/\($0)")[.size] as? Int ?? 0
    }
    return sizes.max()
  }
}

/// The sections of an ELF file of 64 bits, and what a program consists of by them.
struct ProgramFile {
  private struct Section {
    let name: String
    let kind: UInt32
    let bytes: Int
    let offset: Int
    let isLoaded: Bool
  }

  private let bytes: Data
  private let sections: [Section]
  private static let loaded: UInt64 = 2
  private static let withoutBytes: UInt32 = 8

  init(path: String) throws {
    try self.init(Data(contentsOf: URL(filePath: path), options: .alwaysMapped))
  }

  /// - Throws: ``BenchError`` for bytes that are not such a file.
  init(_ bytes: Data) throws {
    self.bytes = bytes
    guard bytes.count > 64, bytes.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2, 1]) else {
      throw BenchError("not an ELF file of 64 bits")
    }
    let table = Int(Self.number(bytes, 40, 8))
    let count = Int(Self.number(bytes, 60, 2))
    let headers = (0..<count).map { table + $0 * 64 }
    guard let last = headers.last, last + 64 <= bytes.count else {
      throw BenchError("an ELF file without sections")
    }
    let names = Int(Self.number(bytes, headers[Int(Self.number(bytes, 62, 2))] + 24, 8))
    sections = headers.map { header in
      let start = names + Int(Self.number(bytes, header, 4))
      let name = bytes.dropFirst(start).prefix { $0 != 0 }
      return Section(
        name: String(decoding: name, as: UTF8.self),
        kind: UInt32(Self.number(bytes, header + 4, 4)),
        bytes: Int(Self.number(bytes, header + 32, 8)),
        offset: Int(Self.number(bytes, header + 24, 8)),
        isLoaded: Self.number(bytes, header + 8, 8) & Self.loaded != 0)
    }
  }

  /// The bytes that are loaded: `strip` leaves only them, but for a few names.
  var stripped: Int {
    sections.filter { $0.isLoaded && $0.kind != Self.withoutBytes }.map(\.bytes).reduce(0, +)
  }

  /// The parts of ``stripped``, the largest first.
  var parts: [(name: String, bytes: Int)] {
    var sums: [String: Int] = [:]
    for section in sections where section.isLoaded && section.kind != Self.withoutBytes {
      sums[Self.part(section.name), default: 0] += section.bytes
    }
    let data = unicodeData
    if data > 0 {
      sums["data of ICU", default: 0] += data
      sums["other constants and data", default: 0] -= data
    }
    return sums.map { ($0.key, $0.value) }.sorted { ($0.1, $0.0) > ($1.1, $1.0) }
  }

  private static func part(_ section: String) -> String {
    switch section {
    case ".text", ".plt", ".init", ".fini": "machine code"
    case ".eh_frame", ".eh_frame_hdr", ".gcc_except_table": "tables to unwind the stack"
    case ".dynsym", ".dynstr", ".rela.dyn", ".rela.plt": "symbols and relocations"
    case _ where section.hasPrefix(".gnu."): "symbols and relocations"
    case _ where section.hasPrefix("swift5_"): "metadata of Swift types"
    default: "other constants and data"
    }
  }

  /// The size of the symbol `icudt…_dat`: the Unicode data of Foundation.
  private var unicodeData: Int {
    guard let symbols = sections.first(where: { $0.name == ".symtab" }),
      let names = sections.first(where: { $0.name == ".strtab" }),
      symbols.offset + symbols.bytes <= bytes.count, names.offset + names.bytes <= bytes.count
    else { return 0 }
    // Found by its name first: reading every one of 200,000 symbols' names would take longer.
    let table = bytes.subdata(in: names.offset..<names.offset + names.bytes)
    guard let prefix = table.range(of: Data("\0icudt".utf8)) else { return 0 }
    let wanted = UInt64(prefix.lowerBound + 1)
    for symbol in stride(from: symbols.offset, to: symbols.offset + symbols.bytes, by: 24)
    where Self.number(bytes, symbol, 4) == wanted {
      return Int(Self.number(bytes, symbol + 16, 8))
    }
    return 0
  }

  private static func number(_ bytes: Data, _ offset: Int, _ size: Int) -> UInt64 {
    let start = bytes.startIndex + offset
    guard offset >= 0, start + size <= bytes.endIndex else { return 0 }
    return bytes[start..<start + size].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
