import Files
import Foundation
import Glibc

/// A TCP server on the loopback; each connection has a thread of its own.
final class Loopback: Sendable {
  let port: Int
  private let listener: Int32

  /// Listens on a free port.
  ///
  /// - Parameter serve: gets a connection, and closes it.
  init(_ serve: @escaping @Sendable (Connection) -> Void) throws {
    let bound = try BoundPort()
    (port, listener) = (bound.port, bound.descriptor)
    guard listen(listener, 64) == 0 else { throw FileError("listen", "127.0.0.1") }
    Thread.detachNewThread {
      // The thread keeps the socket open: its number is nobody else's while it is in use here.
      while true {
        let accepted = accept(bound.descriptor, nil, nil)
        if accepted < 0 {
          if errno == EINTR || errno == ECONNABORTED { continue }
          return
        }
        _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
        let connection = Connection(accepted)
        Thread.detachNewThread { serve(connection) }
      }
    }
  }

  // Wakes the thread in `accept`.
  deinit { shutdown(listener, Int32(SHUT_RDWR)) }
}

/// A port of the loopback that nobody else gets while this is there.
///
/// It refuses connections, unless somebody listens on the socket.
final class BoundPort: Sendable {
  let port: Int
  let descriptor: Int32

  init() throws {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_INET, kind, 0)
    self.descriptor = descriptor
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, size) == 0 && getsockname(descriptor, address, &size) == 0
      }
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    guard isBound else { throw FileError("socket", "127.0.0.1") }
  }

  deinit { close(descriptor) }
}

/// One end of a connection.
final class Connection: Sendable {
  let descriptor: Int32

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Reads once; empty at the end.
  func read(_ most: Int = 1 << 16) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: most)
    let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
    return count > 0 ? Array(buffer[..<count]) : []
  }

  /// Writes all; false when the peer is gone.
  @discardableResult
  func write(_ bytes: some Collection<UInt8>) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Says that nothing more will be written.
  func endWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Ends both directions.
  func cut() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}

/// The number of bytes that may still pass, shared by both directions of all connections.
final class Allowance: @unchecked Sendable {
  // `lock` guards the two numbers.
  private let lock = NSLock()
  private var left: Int
  private var used = 0

  init(_ bytes: Int) {
    left = bytes
  }

  /// Takes as many as there are.
  func take(_ count: Int) -> Int {
    lock.withLock {
      let given = min(left, count)
      left -= given
      used += given
      return given
    }
  }

  var total: Int { lock.withLock { used } }
}

/// A program that serves connections on its standard streams.
struct Service: Sendable {
  var path: String
  var arguments: [String]
  var environment: [String]

  /// Runs it for a connection until either side ends, or the allowance does.
  func serve(_ connection: Connection, _ allowance: Allowance = Allowance(.max)) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return }
    let inner = Connection(ends[0])
    let start = ProgramStart(
      path, arguments, environment: environment,
      redirections: [
        .descriptor(ends[1], as: 0), .descriptor(ends[1], as: 1),
        .file("/dev/null", flags: O_WRONLY, as: 2),
      ], ownSession: true)
    let process = try? start.run()
    close(ends[1])
    guard let process else { return connection.cut() }
    let isDone = DispatchSemaphore(value: 0)
    @Sendable func relay(from source: Connection, to target: Connection) {
      while true {
        let bytes = source.read()
        if bytes.isEmpty { break }
        let given = allowance.take(bytes.count)
        target.write(bytes[..<given])
        if given < bytes.count {
          inner.cut()
          connection.cut()
          break
        }
      }
      target.endWriting()
    }
    Thread.detachNewThread {
      relay(from: connection, to: inner)
      isDone.signal()
    }
    relay(from: inner, to: connection)
    connection.cut()
    isDone.wait()
    kill(-process, SIGKILL)
    _ = try? ProgramStart.exitCode(of: process)
  }
}
