import Journal

/// The words of a title, as a text may have them already.
enum TitleWords {
  /// Whether a line has the words of a title, but for case, accents and signs that no file name has.
  static func areIn(_ line: String, _ title: String) -> Bool {
    let words = { (text: String) -> [String] in
      let plain = Folding.fold(text).filter { $0 != "'" && $0 != "’" }
      return plain.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
    let wanted = words(title).joined()
    guard !wanted.isEmpty else { return true }
    let found = words(line)
    return found.indices.contains { start in
      var joined = ""
      for word in found[start...] where joined.utf8.count < wanted.utf8.count { joined += word }
      return joined == wanted
    }
  }
}
