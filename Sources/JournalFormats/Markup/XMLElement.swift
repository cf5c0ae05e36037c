/// An element of XML with all that it contains.
struct XMLElement: Hashable {
  /// Its name, with its prefix: `content:encoded`.
  var name: String
  var attributes: [String: String] = [:]
  /// The elements in it.
  var children: [XMLElement] = []
  /// Its own text, without that of its elements.
  var text = ""
  /// The digest and the bytes of a text in base64, which is not kept itself.
  var digest: MD5OfBase64.Result?
  /// Its line, from 1.
  var line = 1

  /// The first element of a name in it.
  subscript(name: String) -> XMLElement? { children.first { $0.name == name } }

  /// The text of the first element of a name, without white space at its ends; empty if there is
  /// none.
  func text(_ name: String) -> String { self[name]?.text.trimmingWhitespace ?? "" }

  /// The elements of a name in it.
  func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

  /// Whether it has neither text nor attributes nor elements that have.
  var saysNothing: Bool {
    attributes.isEmpty && digest == nil && text.utf8.allSatisfy(ASCII.isSpace)
      && children.allSatisfy(\.saysNothing)
  }
}
