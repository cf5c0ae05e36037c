import Files
import Foundation
import Glibc

/// The program `git` of this machine, and the environment that it gets.
///
/// Keys, credential helpers, proxies and the configuration of the user stay; everything by which a
/// configuration or an environment makes git run a program, or use another repository, is off.
package struct GitProgram: Sendable {
  /// Whether somebody can answer questions of git and ssh on the terminal.
  package enum Questions: Sendable {
    /// Nobody can: a password that is missing is an error. The programs have no terminal.
    case fail
    /// A person at the terminal of this process.
    case terminal
  }

  /// The path of the program.
  let path: String
  /// Whether the terminal may be asked.
  let questions: Questions
  /// The variables of all runs, without those of a repository.
  private let variables: [String]

  /// The name of the variable that marks our processes, with the path of their repository.
  static let marker = "DAYBOOK_SYNC_REPOSITORY"

  /// Finds the program in the absolute directories of `PATH`.
  ///
  /// - Parameter environment: the variables of this process, as `NAME=value`.
  /// - Throws: ``GitError`` of the kind `gitMissing`.
  package init(
    environment: [String]? = nil, questions: Questions = .fail
  ) throws(GitError) {
    let environment =
      environment ?? ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
    let path = environment.last { $0.hasPrefix("PATH=") }.map { String($0.dropFirst(5)) }
    guard let found = ProgramSearch.find("git", in: path ?? ProgramSearch.standardPath) else {
      throw GitError(.gitMissing, "git is not installed")
    }
    self.path = found
    self.questions = questions
    var variables = environment.filter(Self.isKept)
    variables += [
      "LC_ALL=C",
      "GIT_ALLOW_PROTOCOL=\(GitRemote.allowedProtocols)",
      "GIT_ATTR_NOSYSTEM=1",
      "GIT_LITERAL_PATHSPECS=1",
      "GIT_NO_LAZY_FETCH=1",
      "GIT_NO_REPLACE_OBJECTS=1",
    ]
    // `fast-import` allocates and frees at the end of its heap for each object. Without slack, glibc
    // asks the kernel for that memory each time, which takes half of a first synchronisation.
    variables += ["MALLOC_TOP_PAD_=16777216", "MALLOC_TRIM_THRESHOLD_=134217728"]
    if questions == .fail { variables.append("GIT_TERMINAL_PROMPT=0") }
    self.variables = variables
  }

  /// The oldest version with all options that are used.
  private static let oldest = [2, 35]

  /// Checks that the program is new enough; one that does not say its version counts as such.
  ///
  /// - Throws: ``GitError`` of the kind `gitTooOld`.
  package func checkVersion() throws {
    var output: [UInt8] = []
    let process = GitProcess(program: self, repository: "/")
    _ = try process.run(["version"], output: { output.append(contentsOf: $0) })
    // `git version 2.39.5`
    let words = String(decoding: output, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count > 2 else { return }
    let numbers = words[2].split(separator: ".").prefix(2).compactMap { Int($0) }
    guard numbers.count == 2, numbers.lexicographicallyPrecedes(Self.oldest) else { return }
    throw GitError(.gitTooOld, "git \(words[2]) is too old")
  }

  /// The environment of a run in a repository.
  func environment(of repository: String) -> [String] {
    variables + ["GIT_DIR=\(repository)", "\(Self.marker)=\(repository)"]
  }

  /// The arguments before those of a command.
  ///
  /// `-C /` because the present directory may have been removed.
  static let arguments: [String] =
    ["git", "-C", "/", "--no-pager"] + settings.flatMap { ["-c", $0] }

  /// Settings that override those of the user.
  private static let settings = [
    // Nothing that is stored anywhere runs a program.
    "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.attributesFile=/dev/null",
    "core.alternateRefsCommand=true", "protocol.ext.allow=never", "submodule.recurse=false",
    "fetch.recurseSubmodules=false", "push.recurseSubmodules=no",
    // Received objects are checked, and a blob of any size passes in pieces.
    "transfer.fsckObjects=true", "fetch.fsckObjects=true", "core.bigFileThreshold=8m",
    // Each transfer and commit is one pack, which `maintain` combines; no daemons.
    "fetch.unpackLimit=1", "transfer.unpackLimit=1", "fastimport.unpackLimit=1",
    "gc.auto=0", "gc.autoDetach=false", "maintenance.auto=false", "fetch.writeCommitGraph=false",
    // A power cut leaves no reference that is empty or names what is not there.
    "core.fsync=all",
    // Habits of the user for repositories that people work in.
    "core.logAllRefUpdates=false", "core.sharedRepository=0600", "fetch.prune=false",
    "fetch.pruneTags=false", "push.gpgSign=false", "push.followTags=false",
    "advice.detachedHead=false",
  ]

  /// The command of the other side on this machine: the repository of a directory may be a
  /// stranger's, and its configuration and hooks would run as this user.
  static func localCommand(_ name: String) -> String {
    [
      "git", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false",
      "-c", "core.alternateRefsCommand=true", "-c", "receive.denyCurrentBranch=refuse",
      "-c", "receive.autogc=false", "-c", "receive.unpackLimit=1", "-c", "core.fsync=all",
      "-c", "core.bigFileThreshold=8m", name,
    ].joined(separator: " ")
  }

  /// Variables of git that say how the user reaches remotes, and where the user's settings are.
  private static let keptNames: Set<String> = [
    "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_ASKPASS", "GIT_PROXY_COMMAND",
    "GIT_CURL_VERBOSE", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM",
    "GIT_EXEC_PATH", "GIT_REDACT_COOKIES",
  ]
  private static let keptPrefixes = [
    "GIT_SSL_", "GIT_PROXY_SSL_", "GIT_HTTP_", "GIT_TRACE", "GIT_TR2",
  ]

  private static func isKept(_ variable: String) -> Bool {
    let name = String(variable.prefix { $0 != "=" })
    if name == "LANGUAGE" || name.hasPrefix("LC_") || name == marker { return false }
    guard name.hasPrefix("GIT_") else { return true }
    return keptNames.contains(name) || keptPrefixes.contains(where: name.hasPrefix)
  }
}
