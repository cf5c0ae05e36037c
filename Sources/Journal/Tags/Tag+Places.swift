extension Tag {
  /// Where the tags of a text stand, in bytes, their `#` or `@` included, in order.
  ///
  /// - Complexity: linear in the bytes of the text.
  public static func places(in text: String) -> [Range<Int>] {
    Utf8.withBytes(of: text) { bytes in
      var places: [Range<Int>] = []
      TagScanner(bytes).forEachTag { places.append($0) }
      return places
    }
  }
}
