extension EntryUUID {
  /// The identity of an imported entry that came without one: always the same for the same text and
  /// instant, so that importing a file twice adds nothing.
  ///
  /// It is version 8 of RFC 9562: the first 122 bits of the SHA-256 of the ASCII line
  /// `daybook entry SECONDS`, a line feed and the text's UTF-8, where SECONDS is the instant since
  /// 1970-01-01T00:00:00Z.
  public static func derived(text: String, created: Moment) -> String {
    var hash = SHA256()
    hash.update(Array("daybook entry \(created.seconds)\n".utf8))
    Utf8.withBytes(of: text) { hash.update($0) }
    let words = hash.finalize()
    let high = UInt64(words[0]) << 32 | UInt64(words[1])
    let low = UInt64(words[2]) << 32 | UInt64(words[3])
    return EntryUUID.text(
      high & ~0xF000 | 0x8000, low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }
}
