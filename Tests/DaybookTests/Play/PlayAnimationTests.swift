import Foundation
import FoundationXML
import Testing

/// Animations: the screens of a script as one SVG without a script.
struct PlayAnimationTests {
  private let program: Program
  private let file: String

  init() throws {
    program = try Program()
    file = program.home.appending(path: "a.svg").path
  }

  @Test(
    "the animation in the README shows the screens of --frames in their order, to the last one",
    arguments: ["dark", "light"])
  func frames(_ paper: String) throws {
    let script = Repository.root.appending(path: "Resources/pictures/tour.keys").path
    let printed = try play(["demo", script, "--paper", paper], size: (96, 24))
    let animation = try AnimationFile(file)
    #expect(animation.screens.count > 30)
    #expect(animation.screens.last == printed.last)
    var rest = printed[...]
    for (index, screen) in animation.screens.enumerated() {
      let place = rest.firstIndex(of: screen)
      #expect(place != nil, "frame \(index) was never shown, or not after the one before it")
      rest = rest[(place ?? rest.startIndex)...]
    }
    let captions = try String(contentsOfFile: script, encoding: .utf8)
      .matches(of: /<Say ([^>]+)>/).map { AnimationFile.signs(String($0.1)) }
    #expect(captions.count > 4)
    let shown = animation.screens.compactMap(\.last)
    var order = shown.filter(captions.contains)
    order = order.enumerated().filter { $0 == 0 || order[$0 - 1] != $1 }.map(\.element)
    #expect(order == captions)
  }

  @Test("each frame has its time, at least a tenth of a second, and 10 to 40 seconds are repeated")
  func times() throws {
    let script = Repository.root.appending(path: "Resources/pictures/tour.keys").path
    _ = try play(["demo", script], size: (96, 24))
    let animation = try AnimationFile(file)
    #expect(animation.steps.count == animation.screens.count)
    #expect(animation.steps.first?.time == 0)
    #expect(10...40 ~= animation.duration)
    for (index, step) in animation.steps.enumerated() {
      #expect(step.top == animation.tops[index])
      if index > 0 { #expect(step.time - animation.steps[index - 1].time > 0.098) }
    }
    #expect(try #require(animation.steps.last?.time) < animation.duration - 2)
  }

  @Test("an animation is well-formed and inert whatever is in an entry, also when themes change")
  func inert() throws {
    let script = program.home.appending(path: "a.keys").path
    try """
    aTom & <lt>script>alert(1)<lt>/script> ]]> "x" onload='y' 日本 é 👩‍💻<Enter><Wait 1s>
    :theme contrast<Enter><Wait 1s>
    """.write(toFile: script, atomically: true, encoding: .utf8)
    let printed = try play(["play", script], size: (80, 10))
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let animation = try AnimationFile(file)
    #expect(animation.screens.last == printed.last)
    #expect(animation.screens.contains { $0.joined().contains("<script>alert(1)</script>") })
    #expect(animation.elements == ["svg", "style", "rect", "defs", "g", "text", "use"])
    #expect(animation.attributes.allSatisfy { !$0.hasPrefix("on") })
    #expect(animation.references.allSatisfy { $0.hasPrefix("#r") })
    for word in ["url(", "@import", "javascript:", "<!"] {
      #expect(!text.contains(word), "\(word)")
    }
  }

  /// Plays, and returns the printed screens, without white space.
  private func play(
    _ arguments: [String], size: (columns: Int, lines: Int)
  ) throws -> [[String]] {
    let isDemo = arguments.first == "demo"
    let result = try program.run(
      arguments + (isDemo ? ["--now", "2026-11-21T17:40:00+00:00"] : [])
        + ["--frames", "--animation", file, "--force"],
      extra: ["COLUMNS": "\(size.columns)", "LINES": "\(size.lines)"])
    #expect(result.code == 0, "\(result.errors)")
    return result.output.split(separator: "\u{0C}").map { frame in
      let lines = frame.split(separator: "\n", omittingEmptySubsequences: false)
      return lines.prefix(size.lines).map { AnimationFile.signs(String($0)) }
    }
  }
}

/// An animated SVG, read back.
struct AnimationFile {
  /// The screens in the order of the file, each as rows without white space.
  var screens: [[String]] = []
  /// The offset of each screen, in pixels.
  var tops: [Int] = []
  /// The steps of the animation: seconds, and the offset that is shown from then on.
  var steps: [(time: Double, top: Int)] = []
  /// Seconds until it repeats.
  var duration = 0.0
  /// All names of elements and attributes, and all references.
  var elements: Set<String> = []
  var attributes: Set<String> = []
  var references: Set<String> = []

  /// What is compared of a row: white space, rules and the signs of amounts, which are squares of
  /// different colours in drawings, are left out.
  static func signs(_ text: String) -> String {
    text.filter { !$0.isWhitespace && !"│▫▪■█·".contains($0) }
  }

  init(_ path: String) throws {
    let document = try XMLDocument(contentsOf: URL(filePath: path))
    let root = try #require(document.rootElement())
    var rows: [String: String] = [:]
    for case let element as XMLElement in try document.nodes(forXPath: "//*") {
      elements.insert(element.name ?? "")
      for attribute in element.attributes ?? [] {
        attributes.insert(attribute.name ?? "")
        if attribute.name == "href" { references.insert(attribute.stringValue ?? "") }
      }
      if let id = element.value(of: "id") {
        rows["#\(id)"] = Self.signs(element.stringValue ?? "")
      }
    }
    let height = try #require(Int(root.value(of: "height") ?? ""))
    for case let screen as XMLElement in try document.nodes(
      forXPath: "//*[@class='frames']/*")
    {
      let place = screen.value(of: "transform") ?? ""
      tops.append(try #require(Int(place.dropFirst("translate(0 ".count).dropLast())))
      var lines = Array(repeating: "", count: (height - 28) / 20)
      for case let use as XMLElement in screen.children ?? [] where use.name == "use" {
        let y = try #require(Int(use.value(of: "y") ?? ""))
        let name = try #require(use.value(of: "href"))
        lines[(y - 14) / 20] = try #require(rows[name])
      }
      screens.append(lines)
    }
    let style = try #require(
      (root.children ?? []).first { $0.name == "style" }?.stringValue)
    let length = try #require(style.firstMatch(of: /animation:frames ([0-9.]+)s/))
    duration = try #require(Double(length.1))
    for step in style.matches(of: /([0-9.]+)%\{transform:translateY\(-(\d+)px\)\}/) {
      let share = try #require(Double(step.1))
      steps.append((share * duration / 100, try #require(Int(step.2))))
    }
  }
}

extension XMLElement {
  /// The value of an attribute; `attribute(forName:)` of Foundation finds none in a namespace.
  fileprivate func value(of name: String) -> String? {
    attributes?.first { $0.name == name }?.stringValue
  }
}
