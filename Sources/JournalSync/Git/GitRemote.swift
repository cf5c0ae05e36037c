import Foundation
import Glibc

/// The name of a remote repository, checked before any program sees it.
///
/// Only transports that run no program of the remote's choice are allowed: a directory, `file://`,
/// `ssh://`, `host:path`, `http://`, `https://` and `git://`.
package struct GitRemote: Hashable, Sendable {
  /// The kinds of places.
  package enum Place: Hashable, Sendable {
    /// An absolute path on this machine.
    case directory(String)
    /// A `file://` URL.
    case fileURL
    /// A URL, or ssh's short form `user@host:path`.
    case network
  }

  /// The name that git gets; a relative path has been made absolute.
  package let name: String
  /// Where it is.
  package let place: Place

  /// Whether git runs the other side on this machine.
  package var isLocal: Bool { place != .network }

  /// The absolute path of one on this machine.
  var path: String? {
    switch place {
    case .directory(let path): path
    case .fileURL: name.dropFirst("file://".count).removingPercentEncoding
    case .network: nil
    }
  }

  /// Whether git reaches it by HTTP.
  var isHTTP: Bool { name.hasPrefix("http://") || name.hasPrefix("https://") }

  /// The schemes allowed, with the variable of git that allows the same.
  private static let schemes: Set<String> = ["file", "ssh", "git+ssh", "http", "https", "git"]
  /// The value of `GIT_ALLOW_PROTOCOL`, which overrides any configuration.
  static let allowedProtocols = "file:git:http:https:ssh"
  /// Names are shown, stored and passed as one argument.
  private static let longest = 4_096

  /// Checks a name.
  ///
  /// - Parameters:
  ///   - text: as the user wrote it.
  ///   - directory: the absolute directory of a relative path.
  /// - Throws: ``GitError`` of the kind `badRemote`.
  package init(_ text: String, relativeTo directory: String) throws(GitError) {
    func refusal(_ reason: String) -> GitError { GitError(.badRemote, "remote: \(reason)") }
    guard !text.isEmpty else { throw refusal("the name is empty") }
    guard text.utf8.count <= Self.longest else { throw refusal("the name is too long") }
    guard !text.unicodeScalars.contains(where: GitText.isControl) else {
      throw refusal("the name has control characters")
    }
    guard !text.hasPrefix("-") else { throw refusal("the name begins with -") }
    // `NAME::ADDRESS` runs the program git-remote-NAME.
    let leading = text.utf8.prefix(while: Self.isSchemeByte)
    let rest = text.utf8.dropFirst(leading.count)
    guard !rest.starts(with: "::".utf8) else {
      throw refusal("the transport \(String(Substring(leading))):: is not allowed")
    }
    if rest.starts(with: "://".utf8), !leading.isEmpty {
      let scheme = String(Substring(leading)).lowercased()
      guard Self.schemes.contains(scheme) else {
        throw refusal("the transport \(scheme):// is not allowed")
      }
      let address = String(Substring(rest.dropFirst(3)))
      name = scheme + "://" + address
      if scheme == "file" {
        guard address.hasPrefix("/") else {
          throw refusal("file:// needs an absolute path: file:///path")
        }
        place = .fileURL
      } else {
        try Self.check(host: Substring(address.prefix { $0 != "/" }), refusal)
        place = .network
      }
      return
    }
    // Git's own rule: a colon before any slash is ssh's short form.
    let colon = text.firstIndex(of: ":")
    if let colon, !text[..<colon].contains("/") {
      try Self.check(host: text[..<colon], refusal)
      name = text
      place = .network
      return
    }
    name = text.hasPrefix("/") ? text : "\(directory)/\(text)"
    place = .directory(name)
  }

  /// Refuses the name of a directory that is to be made, and rather is a misspelt address of a host.
  ///
  /// - Parameter text: as the user wrote it.
  /// - Throws: ``GitError`` of the kind `badRemote`.
  package static func checkIsPath(_ text: String) throws(GitError) {
    guard !["/", "./", "../", "~"].contains(where: text.hasPrefix) else { return }
    let parts = text.split(separator: "/")
    guard let first = parts.first.map(String.init), access(first, F_OK) != 0,
      first.contains("@") || parts.count > 1 && first.contains(".")
    else { return }
    throw GitError(
      .badRemote, "\(text): no such directory, and no address of a host",
      advice: "an address has a colon, as in git@example.org:me/journal.git;"
        + " ./\(text) is a directory")
  }

  /// Refuses a host that ssh would take for an option.
  private static func check(
    host: Substring, _ refusal: (String) -> GitError
  ) throws(GitError) {
    let name = host.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    guard !name.isEmpty else { throw refusal("the host is missing") }
    guard !name.hasPrefix("-"), !host.hasPrefix("-") else {
      throw refusal("the host begins with -")
    }
  }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }
}
