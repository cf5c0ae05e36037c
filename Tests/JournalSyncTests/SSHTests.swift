import Foundation
import Glibc
import JournalSync
import Testing

/// A real ssh server, which is not part of a test machine: `SSHD=/usr/sbin/sshd`.
struct SSHTests {
  private static let sshd = ProcessInfo.processInfo.environment["SSHD"]

  @Test("two devices exchange commits through sshd, and an unknown key is refused")
  func exchange() throws {
    guard let sshd = Self.sshd else { return }
    let scratch = try Scratch()
    try scratch.makeRemote()
    for name in ["host", "key", "stranger"] {
      let made = try Scratch.run(
        "/usr/bin/ssh-keygen",
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "\(scratch.path)/\(name)"],
        environment: scratch.environment)
      #expect(made.code == 0)
    }
    try FileManager.default.copyItem(
      atPath: "\(scratch.path)/key.pub", toPath: "\(scratch.path)/authorized")
    try scratch.write(
      "sshd_config",
      """
      HostKey \(scratch.path)/host
      AuthorizedKeysFile \(scratch.path)/authorized
      StrictModes no
      PasswordAuthentication no
      KbdInteractiveAuthentication no
      PermitRootLogin yes
      AcceptEnv GIT_PROTOCOL
      PidFile none

      """)
    let service = Service(
      path: sshd, arguments: [sshd, "-i", "-f", "\(scratch.path)/sshd_config"],
      environment: scratch.environment)
    let server = try Loopback { service.serve($0) }
    defer { withExtendedLifetime(server) {} }
    let user = String(cString: getpwuid(geteuid()).pointee.pw_name)
    let remote = try GitRemote(
      "ssh://\(user)@127.0.0.1:\(server.port)\(scratch.path)/remote.git", relativeTo: "/")
    func command(_ key: String, _ more: String) -> String {
      "GIT_SSH_COMMAND=ssh -F /dev/null -i \(scratch.path)/\(key) -o IdentitiesOnly=yes \(more)"
        + " -o UserKnownHostsFile=\(scratch.path)/known"
    }
    let accepting = command("key", "-o StrictHostKeyChecking=accept-new")
    let unknown = try scratch.repository("unknown", [command("key", "")])
    let first = gitError { try unknown.fetch(remote) }
    #expect(first?.kind == .refused)
    #expect(first?.message.contains("Host key verification failed") == true)
    #expect(first?.advice == "connect once with ssh, so that it knows the host")
    let one = try scratch.repository("one", [accepting])
    let two = try scratch.repository("two", [accepting])
    let commit = try one.commit(["a": "1"])
    #expect(try one.push(commit, to: .standard, of: remote, expecting: nil) == .pushed)
    #expect(try two.fetch(remote).head == commit)
    let next = try two.commit(["b": "2"], on: [commit])
    #expect(try two.push(next, to: .standard, of: remote, expecting: commit) == .pushed)
    let mine = try one.commit(["c": "3"], on: [commit])
    #expect(try one.push(mine, to: .standard, of: remote, expecting: commit) == .remoteMoved)
    let stranger = try scratch.repository("stranger's", [command("stranger", "")])
    let refused = gitError { try stranger.fetch(remote) }
    #expect(refused?.kind == .refused)
    #expect(refused?.message.contains("Permission denied") == true)
  }
}
