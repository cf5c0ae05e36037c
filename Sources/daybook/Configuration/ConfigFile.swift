import Glibc

/// Reading files that a user has written for us.
enum ConfigFile {
  /// The largest file that is read, in bytes.
  private static let limit = 1 << 20

  /// The text of a file; nil when there is none.
  ///
  /// - Parameters:
  ///   - path: where it is. A link to a file elsewhere is followed, as people keep their settings.
  ///   - name: what messages call it.
  /// - Throws: ``ConfigProblem`` for a file that is there and cannot be read.
  static func text(_ path: String, called name: String) throws(ConfigProblem) -> String? {
    // Without waiting, so that a pipe of this name does not hold up the program.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw problem(name, String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw problem(name, "not a file")
    }
    do {
      let bytes = try FileDescriptor.readAll(descriptor, limit: limit, name: name)
      guard bytes.count <= limit else { throw problem(name, "longer than 1 MiB") }
      return try TextInput.text(from: bytes[...], name: name)
    } catch let failure as Failure {
      throw problem(name, reason(of: failure, name))
    } catch let problem as ConfigProblem {
      throw problem
    } catch {
      throw problem(name, "\(error)")
    }
  }

  /// The failure's words without the name, and without what it says about saving.
  private static func reason(of failure: Failure, _ name: String) -> String {
    var words = failure.message[...]
    if words.hasPrefix("\(name): ") { words = words.dropFirst(name.count + 2) }
    return String(words.prefix { $0 != ";" })
  }

  private static func problem(_ name: String, _ reason: String) -> ConfigProblem {
    ConfigProblem(file: name, message: "\(reason); the file is ignored")
  }
}
