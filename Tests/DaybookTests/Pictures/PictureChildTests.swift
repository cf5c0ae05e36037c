import Foundation
import TestSupport
import Testing

@testable import daybook

/// The process that decodes a picture.
///
/// Without libvips the tests expect that it is named as missing.
struct PictureChildTests {
  private let program: Program
  private static let red: [UInt8] = [255, 0, 0, 255]

  init() throws { program = try Program() }

  /// The result for a file with some bytes.
  private func decode(_ bytes: [UInt8], _ size: String = "20 20") throws -> Program.Result {
    try Data(bytes).write(to: program.home.appending(path: "in"))
    return try program.shell(
      "daybook decode-picture \(size) <$HOME/in | od -An -v -tu1 | tr -s ' \\n' ' '"
    )
  }

  /// The numbers that the process answered; `nil` without libvips, which it says.
  private func numbers(_ result: Program.Result) -> [Int]? {
    guard PictureProcess.isPossible else {
      #expect(result.errors.contains("apt install libvips42"))
      #expect(result.output.isEmpty || result.output == " ")
      return nil
    }
    return result.output.split(separator: " ").compactMap { Int($0) }
  }

  @Test("a picture comes out as its pixels, with what is transparent in it")
  func exact() throws {
    let bytes = SamplePicture.png(width: 2, height: 2) { x, y in
      x == 0 ? Self.red : [0, 0, 255, y == 0 ? 255 : 0]
    }
    guard let numbers = numbers(try decode(bytes)) else { return }
    #expect(numbers.prefix(8) == [2, 0, 0, 0, 2, 0, 0, 0])
    #expect(numbers.count == 8 + 16)
    #expect(numbers[8..<16] == [255, 0, 0, 255, 0, 0, 255, 255])
    #expect(numbers[16..<20] == [255, 0, 0, 255] && numbers.last == 0)
  }

  @Test("a large picture is shrunk into its box and keeps its shape")
  func shrunk() throws {
    let bytes = SamplePicture.png(width: 400, height: 200, color: Self.red)
    guard let numbers = numbers(try decode(bytes, "20 20")) else { return }
    #expect(numbers.prefix(8) == [20, 0, 0, 0, 10, 0, 0, 0])
    #expect(numbers.dropFirst(8).count == 20 * 10 * 4)
    #expect(Set(numbers.dropFirst(8)) == [0, 255])
  }

  @Test("HEIC, AVIF and TIFF are decoded where libvips can, else refused with a reason")
  func otherTypes() throws {
    for (type, bytes) in SamplePhotograph.whole {
      let result = try decode(bytes, "24 24")
      guard let numbers = numbers(result), !numbers.isEmpty else {
        #expect(result.errors.hasPrefix("daybook: "), "\(type)")
        continue
      }
      #expect(numbers.prefix(8) == [24, 0, 0, 0, 16, 0, 0, 0], "\(type)")
      #expect(numbers.dropFirst(8).allSatisfy { $0 > 250 }, "\(type)")
    }
  }

  @Test("what is no picture, or one by other files, or larger than memory, is refused with nothing")
  func refused() throws {
    let drawing = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"></svg>"
    let bomb = SamplePicture.png(
      width: 2, height: 2, claiming: (20_000, 20_000)
    ) { _, _ in Self.red }
    let striped = SamplePicture.png(width: 40, height: 40, claiming: nil) { x, _ in
      x % 2 == 0 ? Self.red : [0, 0, 255, 255]
    }
    let cases: [(String, [UInt8], String)] = [
      ("text", Array("no picture at all".utf8), "known format"),
      ("svg", Array(drawing.utf8), "blocked"),
      ("pdf", Array("%PDF-1.7\n%%EOF\n".utf8), ""),
      ("bomb", bomb, "more than 100 million pixels"),
      ("header", Array(bomb.prefix(20)), ""),
      ("nothing but a header", Array(striped.prefix(60)) + [UInt8](repeating: 7, count: 900), ""),
    ]
    for (name, bytes, reason) in cases {
      let result = try decode(bytes)
      guard numbers(result) != nil else { continue }
      #expect(result.output.isEmpty || result.output == " ", "\(name)")
      #expect(result.errors.hasPrefix("daybook: "), "\(name)")
      #expect(reason.isEmpty || result.errors.contains(reason), "\(name): \(result.errors)")
    }
  }

  @Test("an empty input, a pipe and wrong words are refused")
  func input() throws {
    let pipe = try program.run(["decode-picture", "8", "8"], input: [1, 2, 3])
    #expect(pipe.code == (PictureProcess.isPossible ? 65 : 69))
    for words in [["8"], ["0", "8"], ["x", "8"], ["8", "8", "8"]] {
      #expect(try program.run(["decode-picture"] + words).code == 64, "\(words)")
    }
  }

  @Test("the process has given up files, processes and new rights before it looks at a picture")
  func confined() throws {
    guard PictureProcess.isPossible else { return }
    // Its answer is larger than a pipe, so that it waits for a reader.
    let bytes = SamplePicture.png(width: 300, height: 300, color: Self.red)
    let path = program.home.appending(path: "in").path
    try Data(bytes).write(to: URL(filePath: path))
    let file = open(path, O_RDONLY)
    defer { close(file) }
    var child = try PictureProcess(
      file, width: 300, height: 300, program: (Program.binary.path, ["daybook", "decode-picture"]))
    var poll = pollfd(fd: child.output, events: Int16(POLLIN), revents: 0)
    #expect(Glibc.poll(&poll, 1, 60_000) == 1)
    let status = try text("/proc/\(child.process)/status")
    #expect(status.contains("Seccomp:\t2") && status.contains("NoNewPrivs:\t1"))
    let limits = try text("/proc/\(child.process)/limits")
    for (name, limit) in [
      ("Max open files", "0"), ("Max cpu time", "10"),
      ("Max address space", "1073741824"), ("Max core file size", "0"),
    ] {
      let line = limits.split(separator: "\n").first { $0.hasPrefix(name) }
      let words = line?.dropFirst(name.count).split(separator: " ").prefix(2)
      #expect(words.map(Array.init) == [limit[...], limit[...]], "\(name)")
    }
    // Nothing is open but the picture and the answer, and what it complains to.
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(child.process)/fd")
    #expect(Set(open) == ["0", "1", "2"])
    while !child.read() { Glibc.poll(&poll, 1, 60_000) }
    #expect(child.end()?.bytes.count == 300 * 300 * 4)
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: URL(filePath: path), encoding: .utf8)
  }
}
