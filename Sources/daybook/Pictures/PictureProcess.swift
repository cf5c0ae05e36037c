import CPictures
import Files
import Glibc
import Journal
import TextLayout

/// A running ``PictureChild``, as its parent sees it.
struct PictureProcess {
  /// Its answer, which never blocks.
  let output: Int32
  let process: pid_t
  private let width: Int
  private let height: Int
  private var bytes: [UInt8] = []

  /// The largest file that is decoded: more than a photograph has.
  static let mostBytes = 64 << 20
  /// The types of pictures that are decoded, as their bytes show them.
  private static let types: Set = [
    "image/jpeg", "image/png", "image/webp", "image/gif", "image/tiff", "image/heic", "image/avif",
  ]

  /// Whether a file is one that may be decoded.
  static func takes(_ file: StoredFile) -> Bool {
    guard let pixels = file.pixels, types.contains(file.type), file.size <= mostBytes else {
      return false
    }
    let (area, isHuge) = pixels.width.multipliedReportingOverflow(by: pixels.height)
    return !isHuge && area <= DAYBOOK_MOST_PIXELS
  }

  /// Whether there is a library to decode with.
  static var isPossible: Bool { daybook_pictures_installed() != 0 }

  /// Starts the process.
  ///
  /// - Parameters:
  ///   - picture: a file with the picture's bytes.
  ///   - width: the most pixels in a row.
  ///   - height: the most rows.
  ///   - program: the program and its first words.
  /// - Throws: ``Failure`` when it cannot be started.
  init(
    _ picture: Int32, width: Int, height: Int,
    program: (path: String, words: [String]) = ("/proc/self/exe", ["daybook", PictureChild.word])
  ) throws(Failure) {
    (self.width, self.height) = (width, height)
    let ends: (reading: Int32, writing: Int32)
    do throws(Descriptor.Errno) {
      ends = try Descriptor.pipe()
    } catch {
      throw Failure.system(error.code, "a pipe")
    }
    defer { close(ends.writing) }
    // It needs nothing of the user's, and must know none of it.
    let environment = ["LC_ALL=C.UTF-8", "PATH=/usr/bin:/bin"]
    let libraries = Places.variable("LD_LIBRARY_PATH").map { ["LD_LIBRARY_PATH=\($0)"] } ?? []
    let start = ProgramStart(
      program.path, program.words + ["\(width)", "\(height)"],
      environment: environment + libraries,
      redirections: [
        .descriptor(picture, as: STDIN_FILENO), .descriptor(ends.writing, as: STDOUT_FILENO),
        .file("/dev/null", flags: O_WRONLY, as: STDERR_FILENO),
      ], endsWithParent: true)
    do {
      process = try start.run()
    } catch {
      close(ends.reading)
      throw .system(error.code, program.path)
    }
    _ = fcntl(ends.reading, F_SETFL, O_NONBLOCK)
    output = ends.reading
  }

  /// Takes what has been answered.
  ///
  /// - Returns: whether nothing more will come.
  mutating func read() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(output, &buffer, buffer.count)
      if count > 0 {
        bytes += buffer[..<count]
        // A process that was taken over may write for ever.
        if bytes.count > Self.headBytes + width * height * 4 { return true }
      } else if count == 0 || errno != EINTR {
        return count == 0 || errno != EAGAIN
      }
    }
  }

  /// Ends the process, whatever it does, and closes its pipe.
  ///
  /// - Returns: the picture, if it was answered in full.
  func end() -> PicturePixels? {
    kill(process, SIGKILL)
    _ = try? ProgramStart.exitCode(of: process)
    close(output)
    guard bytes.count > Self.headBytes else { return nil }
    let numbers = [0, 4].map { start in
      (0..<4).reduce(0) { $0 | Int(bytes[start + $1]) << ($1 * 8) }
    }
    guard numbers[0] <= width, numbers[1] <= height else { return nil }
    return PicturePixels(
      width: numbers[0], height: numbers[1], bytes: Array(bytes[Self.headBytes...]))
  }

  private static let headBytes = 8
}
