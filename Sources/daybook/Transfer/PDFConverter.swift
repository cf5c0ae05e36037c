import Files
import Glibc
import JournalStore
import Terminal

/// A program that makes a PDF of a page: the first one that is installed.
///
/// The page loads nothing, and the program is told to load nothing. It works in a private directory,
/// which is in memory for a sealed journal, and ends with this program.
struct PDFConverter {
  /// The programs, the best first; each is a package of Debian.
  private enum Kind: String, CaseIterable {
    case weasyprint, chromium, wkhtmltopdf
  }

  private let kind: Kind
  private let path: String
  /// The longest time in seconds: ten years take minutes.
  private let limit: Int

  /// Finds a program in `PATH`.
  ///
  /// - Throws: ``Failure`` 69 with the packages that have one.
  init(path: String? = Places.variable("PATH"), limit: Int = 3_600) throws(Failure) {
    let found = Kind.allCases.lazy.compactMap { kind in
      ProgramSearch.find(kind.rawValue, in: path ?? ProgramSearch.standardPath).map { (kind, $0) }
    }.first
    guard let (kind, place) = found else {
      let names = Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure(
        .unavailable,
        "a PDF needs one of the programs \(names), which are packages of Debian: apt install"
          + " weasyprint; or export .epub or .html")
    }
    (self.kind, self.path, self.limit) = (kind, place, limit)
  }

  /// Makes a PDF.
  ///
  /// - Parameters:
  ///   - write: writes the page to a descriptor.
  ///   - isSealed: whether the page may not be on a disk.
  /// - Returns: the bytes of the PDF.
  /// - Throws: ``Failure`` 69 if the program fails, 128 + n when the work is cancelled.
  func convert(_ work: LongWork, isSealed: Bool, _ write: (Int32) throws -> Void) throws -> [UInt8]
  {
    let directory = try TemporaryDirectory(
      "daybook-pdf", in: isSealed ? MemoryDirectory.ofUser.make() : nil)
    let (page, result) = ("\(directory.path)/journal.html", "\(directory.path)/journal.pdf")
    try AtomicFile(page, isSynced: false).write(write)
    work.phase("making the PDF with \(kind.rawValue)")
    let messages = "\(directory.path)/messages"
    let code = try run(words(page, result, directory.path), in: directory.path, messages, work)
    let bytes = (try? RegularFile.read(result)) ?? []
    guard code == 0, bytes.starts(with: "%PDF-".utf8) else {
      let said = String(decoding: (try? RegularFile.read(messages)) ?? [], as: UTF8.self)
      let reason = said.split(whereSeparator: \.isNewline).last.map { ": \($0.prefix(200))" } ?? ""
      throw Failure(
        .unavailable, "\(path) ended with \(code) and made no PDF\(reason); nothing was written")
    }
    return bytes
  }

  private func words(_ page: String, _ result: String, _ directory: String) -> [String] {
    switch kind {
    case .weasyprint: return ["weasyprint", "--quiet", page, result]
    case .wkhtmltopdf:
      return [
        "wkhtmltopdf", "--quiet", "--disable-javascript", "--disable-plugins",
        "--footer-center", "[page]", page, result,
      ]
    case .chromium:
      let words = [
        "chromium", "--headless", "--disable-gpu", "--no-first-run", "--disable-sync",
        "--disable-background-networking", "--disable-component-update", "--disable-extensions",
        "--host-resolver-rules=MAP * ~NOTFOUND", "--user-data-dir=\(directory)/profile",
        "--no-pdf-header-footer", "--print-to-pdf=\(result)",
      ]
      // Its sandbox does not work for the superuser.
      return words + (geteuid() == 0 ? ["--no-sandbox"] : []) + ["file://\(page)"]
    }
  }

  /// Runs the program until it ends, the time is over, or the work is cancelled.
  ///
  /// - Returns: its exit code.
  private func run(
    _ words: [String], in directory: String, _ messages: String, _ work: LongWork
  ) throws -> Int32 {
    // Qt needs no screen; temporary files belong into the private directory.
    let environment =
      SubProcess.environment.filter {
        !$0.hasPrefix("TMPDIR=") && !$0.hasPrefix("QT_QPA_PLATFORM=")
      }
      + ["TMPDIR=\(directory)", "QT_QPA_PLATFORM=offscreen"]
    let start = ProgramStart(
      path, words, environment: environment,
      redirections: [
        .file("/dev/null", flags: O_RDONLY, as: STDIN_FILENO),
        .file("/dev/null", flags: O_WRONLY, as: STDOUT_FILENO),
        .file(messages, flags: O_WRONLY | O_CREAT | O_TRUNC, as: STDERR_FILENO),
      ], endsWithParent: true)
    let process: pid_t
    do { process = try start.run() } catch { throw Failure.system(error.code, path) }
    let end = ContinuousClock.now + .seconds(limit)
    let descriptor = ProcessDescriptor(process)
    do {
      while true {
        if let code = try ProgramStart.exitCode(of: process, waits: false) { return code }
        try work.wait(forEndOf: descriptor, within: ContinuousClock.now.duration(to: end))
        guard ContinuousClock.now < end else {
          throw Failure(
            .unavailable, "\(path) did not end within \(limit) seconds; nothing was written")
        }
      }
    } catch {
      ProcessTree.signal(process, SIGKILL)
      _ = try? ProgramStart.exitCode(of: process)
      throw error
    }
  }
}
