import Journal
import JournalFormats
import Seal

/// The sealed form of a file in a repository: pieces of 256 KiB, so that its size costs no memory.
///
/// The length of the file in 8 bytes, its bytes, and zeros up to a size in steps are cut into pieces, and each
/// is sealed for the file's name, its place and the number of all pieces: none can be left out, exchanged, or
/// taken from another file. Equal files of one name are equal when sealed.
struct FileSeal {
  let key: JournalKey
  /// The sealed name of the file.
  let name: String

  /// The readable bytes of a piece; the last one may have fewer.
  static let pieceSize = 256 << 10
  private static let lengthSize = 8
  /// The bytes by which a sealed piece is longer.
  private static let extra = 40

  /// The bytes of all readable pieces of a file.
  private static func paddedSize(of size: Int) -> Int { TreeSeal.paddedSize(of: size + 4) }

  private static func pieces(in padded: Int) -> Int { (padded + pieceSize - 1) / pieceSize }

  /// The size of a sealed file.
  static func sealedSize(of size: Int) -> Int {
    let padded = paddedSize(of: size)
    return padded + extra * pieces(in: padded)
  }

  private func purpose(_ index: Int, of count: Int) -> String {
    "piece \(index) of \(count) of a file in a repository: \(name)"
  }

  // MARK: Sealing

  /// Seals a file of a size.
  ///
  /// - Parameter next: returns the next readable bytes; none at the end.
  func sealing(size: Int, _ next: @escaping () throws -> [UInt8]) -> ByteStream {
    let padded = Self.paddedSize(of: size)
    let count = Self.pieces(in: padded)
    var (index, hasEnded) = (0, false)
    var bytes = (0..<Self.lengthSize).map {
      UInt8(truncatingIfNeeded: size >> (8 * (Self.lengthSize - 1 - $0)))
    }
    return ByteStream(size: Self.sealedSize(of: size)) {
      guard index < count else { return [] }
      let wanted = min(Self.pieceSize, padded - index * Self.pieceSize)
      while bytes.count < wanted, !hasEnded {
        let more = try next()
        hasEnded = more.isEmpty
        bytes += more
      }
      if bytes.count < wanted { bytes += repeatElement(0, count: wanted - bytes.count) }
      // The end is asked for in any case, for what the source checks there.
      if index == count - 1, !hasEnded { hasEnded = try next().isEmpty }
      let piece = Array(bytes[..<wanted])
      bytes.removeFirst(wanted)
      defer { index += 1 }
      return try key.sealRepeatably(piece, purpose: purpose(index, of: count))
    }
  }

  // MARK: Opening

  /// A sealed file that arrives in pieces of any size.
  struct Opening {
    private let seal: FileSeal
    private let padded: Int
    private let count: Int
    private var index = 0
    private var bytes: [UInt8] = []
    /// The readable bytes of the file that have not come yet; `nil` before its length is known.
    private var left: Int?

    /// - Parameter size: that of the sealed file.
    /// - Throws: ``SyncTreeError`` for a size that no sealed file has.
    init(_ seal: FileSeal, size: Int) throws(SyncTreeError) {
      self.seal = seal
      let whole = FileSeal.pieceSize + FileSeal.extra
      count = max(1, (size + whole - 1) / whole)
      padded = size - FileSeal.extra * count
      guard padded >= FileSeal.lengthSize, FileSeal.pieces(in: padded) == count else {
        throw .unreadable("is cut off")
      }
    }

    /// Takes the next sealed bytes, and gives the readable ones.
    ///
    /// - Throws: ``SyncTreeError`` for bytes that were not sealed for this file; the errors of `body`.
    mutating func append(
      _ sealed: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
      var rest = sealed
      while !rest.isEmpty {
        let readable = min(FileSeal.pieceSize, padded - index * FileSeal.pieceSize)
        guard readable > 0 else { throw SyncTreeError.unreadable("is too long") }
        let part = min(readable + FileSeal.extra - bytes.count, rest.count)
        bytes.append(contentsOf: rest.piece(0, part))
        rest = rest.piece(part, rest.count)
        guard bytes.count == readable + FileSeal.extra else { return }
        try open(body)
      }
    }

    private mutating func open(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
      guard var piece = try? seal.key.open(bytes, purpose: seal.purpose(index, of: count)) else {
        throw SyncTreeError.unreadable("is not sealed with the repository's key for this name")
      }
      bytes.removeAll(keepingCapacity: true)
      index += 1
      var rest = left
      if rest == nil {
        let length = piece.prefix(FileSeal.lengthSize).reduce(0) { $0 << 8 | Int($1) }
        guard (0...padded - FileSeal.lengthSize).contains(length) else {
          throw SyncTreeError.unreadable("is cut off")
        }
        piece.removeFirst(FileSeal.lengthSize)
        rest = length
      }
      let taken = min(rest ?? 0, piece.count)
      left = (rest ?? 0) - taken
      if taken > 0 { try piece.withUnsafeBytes { try body($0.piece(0, taken)) } }
    }

    /// Whether all pieces have come.
    var isComplete: Bool { index == count && left == 0 }
  }
}
