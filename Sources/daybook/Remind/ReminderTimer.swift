import Files
import Glibc
import Terminal

/// The timer of the reminder: two units of the user's systemd.
struct ReminderTimer {
  private static let name = "daybook-remind"
  /// The directory of the user's units.
  private let directory: String

  /// - Throws: ``Failure`` 73 when neither `XDG_CONFIG_HOME` nor `HOME` is a directory path.
  init() throws(Failure) {
    guard let configuration = Places.configuration() else {
      throw Failure(.cannotCreate, "HOME is not set to an absolute path; set HOME")
    }
    directory = "\(Directory.of(configuration))/systemd/user"
  }

  /// The path of the timer's unit.
  var path: String { "\(directory)/\(Self.name).timer" }
  private var service: String { "\(directory)/\(Self.name).service" }

  var isInstalled: Bool { access(path, F_OK) == 0 }

  /// Writes the units and starts the timer.
  ///
  /// - Parameters:
  ///   - reminder: the time.
  ///   - journal: the path of another journal than the default one.
  /// - Throws: ``Failure``: 69 without systemd, and then nothing is left.
  func install(_ reminder: Reminder, journal: String?) throws {
    try check()
    do {
      try Directory.make(directory)
      try AtomicFile(service, mode: 0o644).write(Array(Self.service(journal).utf8))
      try AtomicFile(path, mode: 0o644).write(Array(Self.timer(reminder).utf8))
    } catch {
      throw Failure.system(error.code, directory)
    }
    do {
      try Self.systemctl("daemon-reload")
      try Self.systemctl("enable --now \(Self.name).timer")
      // A timer that runs already has the former time.
      try Self.systemctl("restart \(Self.name).timer")
    } catch {
      remove()
      throw error
    }
  }

  /// Stops the timer and removes the units.
  ///
  /// - Throws: ``Failure`` when systemd does not stop it.
  func uninstall() throws {
    if ProgramSearch.find("systemctl", in: Self.search) != nil {
      try? Self.systemctl("disable --now \(Self.name).timer")
    }
    remove()
    if ProgramSearch.find("systemctl", in: Self.search) != nil {
      try? Self.systemctl("daemon-reload")
    }
    guard !isInstalled else { throw Failure(.inputOutput, "\(path): cannot be removed") }
  }

  private func remove() {
    unlink(path)
    unlink(service)
  }

  // MARK: systemd

  private static var search: String { Places.variable("PATH") ?? ProgramSearch.standardPath }

  private func check() throws(Failure) {
    guard ProgramSearch.find("systemctl", in: Self.search) == nil else { return }
    throw Failure(
      .unavailable,
      "no systemd here; daybook remind --prompt in a shell's prompt, or daybook remind --notify in a"
        + " crontab, needs none")
  }

  private static func systemctl(_ words: String) throws {
    let result = try SubProcess.output(of: "systemctl --user --quiet \(words) 2>&1", seconds: 20)
    guard let (bytes, code) = result else {
      throw Failure(.unavailable, "systemctl --user \(words) does not end")
    }
    guard code == 0 else {
      let reason = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first ?? ""
      throw Failure(.unavailable, "systemctl --user \(words): \(reason)")
    }
  }

  // MARK: The units

  private static func timer(_ reminder: Reminder) -> String {
    """
    # Made by daybook remind.
    [Unit]
    Description=The time of \(Self.name).service

    [Timer]
    OnCalendar=*-*-* \(reminder.clock):00
    AccuracySec=1min

    [Install]
    WantedBy=timers.target

    """
  }

  private static func service(_ journal: String?) -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink("/proc/self/exe", &buffer, Int(PATH_MAX))
    let path = buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
    let program = path.isEmpty ? "daybook" : String(decoding: path, as: UTF8.self)
    let words = [program, "remind", "--notify"] + (journal.map { ["--journal", $0] } ?? [])
    let variables = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "DAYBOOK_JOURNAL"]
      .compactMap { name in Places.variable(name).map { "Environment=\(quoted("\(name)=\($0)"))\n" }
      }
    return """
      # Made by daybook remind.
      [Unit]
      Description=Remind of the entry of today, unless there is one

      [Service]
      Type=oneshot
      \(variables.joined())ExecStart=\(words.map(quoted).joined(separator: " "))

      """
  }

  /// A word in quotation marks, in which systemd expands nothing.
  private static func quoted(_ word: String) -> String {
    var text = ""
    for scalar in word.unicodeScalars {
      switch scalar {
      case "\\", "\"": text += "\\\(scalar)"
      case "%": text += "%%"
      case "$": text += "$$"
      case "\n": text += "\\n"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return "\"\(text)\""
  }
}
