import Foundation
import Glibc

/// A reader of sealed files, written from the manual's chapter and libsodium's functions alone: it uses
/// nothing of the product.
struct SealedReader {
  private let sodium: Sodium
  private let file: [UInt8]
  private let header: [UInt8]
  private let id: [UInt8]
  private let pageKey: [UInt8]
  private let mapKey: [UInt8]

  /// A fault, in words for a failing test.
  struct Unreadable: Error {
    var reason: String
    init(_ reason: String) { self.reason = reason }
  }

  private static let page = 4096

  /// Unlocks a file.
  ///
  /// - Throws: ``Unreadable`` for a header that is not as the chapter says, or a wrong passphrase.
  init(_ file: [UInt8], passphrase: [UInt8]) throws {
    let sodium = try Sodium()
    let copies = [0, Self.page].map { Array(file[$0..<($0 + Self.page)]) }.filter {
      $0.starts(with: "Daybook sealed 1".utf8)
        && sodium.hash(Array($0[..<4064]), key: []) == Array($0[4064...])
    }
    guard let header = copies.max(by: { Self.number($0, 72) < Self.number($1, 72) }) else {
      throw Unreadable("no intact copy of the header")
    }
    id = Array(header[24..<40])
    var key: [UInt8]?
    for slot in 0..<8 {
      let bytes = Array(header[(96 + slot * 128)..<(96 + (slot + 1) * 128)])
      guard bytes[0] == 1, bytes[1] == 2 else { continue }
      let wrapping = try sodium.derived(
        passphrase, salt: Array(bytes[16..<32]), passes: Self.number(bytes, 4, size: 4),
        memory: Self.number(bytes, 8))
      key =
        key
        ?? sodium.open(
          Array(bytes[56..<104]), nonce: Array(bytes[32..<56]), data: id + bytes[..<32],
          key: wrapping)
    }
    guard let key else { throw Unreadable("the passphrase opens no slot") }
    guard
      sodium.hash(Array(header[..<4000]), key: sodium.subkey(5, of: key))
        == Array(header[4000..<4032])
    else { throw Unreadable("the header's code is another one") }
    (pageKey, mapKey) = (sodium.subkey(1, of: key), sodium.subkey(2, of: key))
    (self.sodium, self.file, self.header) = (sodium, file, header)
  }

  /// The pages of the SQLite database.
  func database() throws -> [UInt8] {
    var bytes: [UInt8] = []
    for number in 1...Self.number(header, 80) {
      let group = (number - 1) / 500
      let lower = try map(group, "L", pair: lowerPair(group), version: lowerVersion(of: group))
      let version = Array(lower[((number - 1) % 500 * 8)...].prefix(8))
      if version == [UInt8](repeating: 0, count: 8) {
        bytes += [UInt8](repeating: 0, count: Self.page)
        continue
      }
      let place = lowerPair(group) + 2 + (number - 1) % 500
      bytes += try opened(place, "P", number, version, pageKey)
    }
    return bytes
  }

  // MARK: Places, in pages of the file

  private func upperPair(_ upper: Int) -> Int { 2 + upper * (2 + 500 * 502) }

  private func lowerPair(_ group: Int) -> Int {
    upperPair(group / 500) + 2 + group % 500 * 502
  }

  // MARK: Maps

  private func lowerVersion(of group: Int) throws -> [UInt8] {
    let upper = group / 500
    let version = Array(header[(1120 + upper * 8)...].prefix(8))
    let map = try map(upper, "U", pair: upperPair(upper), version: version)
    return Array(map[(group % 500 * 8)...].prefix(8))
  }

  /// The lowest bit of a map page's version is the number of its slot.
  private func map(_ number: Int, _ kind: Character, pair: Int, version: [UInt8]) throws -> [UInt8]
  {
    try opened(pair + Int(version[7] & 1), kind, number, version, mapKey)
  }

  private func opened(
    _ place: Int, _ kind: Character, _ number: Int, _ version: [UInt8], _ key: [UInt8]
  ) throws -> [UInt8] {
    let bytes = Array(file[(place * Self.page)...].prefix(Self.page))
    let nonce = Array(bytes[4056..<4080])
    guard Array(nonce[8..<16]) == version else {
      throw Unreadable("\(kind) \(number) has another version than its map")
    }
    let data =
      id + [kind.asciiValue ?? 0] + Self.bytes(number) + [UInt8](repeating: 0, count: 8)
    guard
      let content = sodium.open(
        Array(bytes[..<4056]) + bytes[4080...], nonce: nonce, data: data, key: key)
    else { throw Unreadable("\(kind) \(number) is not authentic") }
    return content + [UInt8](repeating: 0, count: 40)
  }

  // MARK: Numbers

  private static func number(_ bytes: [UInt8], _ offset: Int, size: Int = 8) -> Int {
    bytes[offset..<(offset + size)].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func bytes(_ number: Int) -> [UInt8] {
    (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}

/// The functions of libsodium that a reader needs, looked up by name.
struct Sodium {
  private typealias Bytes = UnsafePointer<UInt8>?
  private typealias Output = UnsafeMutablePointer<UInt8>?
  private typealias Hash = @convention(c) (Output, Int, Bytes, UInt64, Bytes, Int) -> Int32
  private typealias Derive = @convention(c) (Output, Int, UInt64, Bytes, Bytes) -> Int32
  private typealias Password =
    @convention(c) (Output, UInt64, Bytes, UInt64, Bytes, UInt64, Int, Int32) -> Int32
  private typealias Decrypt =
    @convention(c) (
      Output, UnsafeMutablePointer<UInt64>?, Output, Bytes, UInt64, Bytes, UInt64, Bytes, Bytes
    ) -> Int32
  private typealias Encrypt =
    @convention(c) (
      Output, UnsafeMutablePointer<UInt64>?, Bytes, UInt64, Bytes, UInt64, Bytes, Bytes, Bytes
    ) -> Int32

  // The library is never closed.
  private let library: Library

  private struct Library: @unchecked Sendable {
    let handle: UnsafeMutableRawPointer
  }

  init() throws {
    guard let handle = dlopen("libsodium.so.23", RTLD_NOW) else {
      throw SealedReader.Unreadable("libsodium is missing")
    }
    library = Library(handle: handle)
  }

  private func function<Function>(_ name: String, _: Function.Type) -> Function {
    unsafeBitCast(dlsym(library.handle, name), to: Function.self)
  }

  /// BLAKE2b of 32 bytes.
  func hash(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: 32)
    _ = function("crypto_generichash", Hash.self)(
      &output, 32, bytes, UInt64(bytes.count), key, key.count)
    return output
  }

  func subkey(_ number: UInt64, of key: [UInt8]) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: 32)
    _ = function("crypto_kdf_derive_from_key", Derive.self)(
      &output, 32, number, Array("daybook1".utf8), key)
    return output
  }

  /// Argon2id 1.3.
  func derived(
    _ passphrase: [UInt8], salt: [UInt8], passes: Int, memory: Int
  ) throws -> [UInt8] {
    var output = [UInt8](repeating: 0, count: 32)
    let result = function("crypto_pwhash", Password.self)(
      &output, 32, passphrase, UInt64(passphrase.count), salt, UInt64(passes), memory, 2)
    guard result == 0 else { throw SealedReader.Unreadable("the key cannot be derived") }
    return output
  }

  /// XChaCha20-Poly1305, the tag at the end.
  func open(_ bytes: [UInt8], nonce: [UInt8], data: [UInt8], key: [UInt8]) -> [UInt8]? {
    var output = [UInt8](repeating: 0, count: bytes.count - 16)
    let result = function("crypto_aead_xchacha20poly1305_ietf_decrypt", Decrypt.self)(
      &output, nil, nil, bytes, UInt64(bytes.count), data, UInt64(data.count), nonce, key)
    return result == 0 ? output : nil
  }

  /// XChaCha20-Poly1305, the tag at the end.
  func seal(_ bytes: [UInt8], nonce: [UInt8], data: [UInt8], key: [UInt8]) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: bytes.count + 16)
    _ = function("crypto_aead_xchacha20poly1305_ietf_encrypt", Encrypt.self)(
      &output, nil, bytes, UInt64(bytes.count), data, UInt64(data.count), nil, nonce, key)
    return output
  }
}
