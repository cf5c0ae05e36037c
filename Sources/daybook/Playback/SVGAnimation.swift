import Screen
import TextLayout

/// Frames as a self-contained SVG that repeats them at their times, without a script.
///
/// The frames are a column of screens of which one is seen; a single CSS animation moves the column.
/// A row that occurs in several frames is written once. Viewers without animations, and persons who
/// want none, see the first frame.
struct SVGAnimation {
  /// The shortest time of a frame; of those that change faster only the last one is drawn.
  private static let slot = Duration.milliseconds(100)
  /// The time of the last frame before the first one follows.
  private static let rest = Duration.seconds(3)

  private let paper: Paper
  private var frames: [(slot: Int64, picture: Frame, theme: Theme)] = []

  /// Makes an empty animation.
  init(paper: Paper) {
    self.paper = paper
  }

  /// Adds a frame.
  mutating func add(_ picture: Frame, at time: Duration, theme: Theme) {
    let slot = Int64(time / Self.slot)
    if frames.last?.slot == slot { frames.removeLast() }
    if frames.last?.picture == picture, frames.last?.theme == theme { return }
    frames.append((slot, picture, theme))
  }

  /// The whole file; empty without frames.
  var text: String {
    guard let first = frames.first else { return "" }
    let sizes = frames.map(\.picture.canvas)
    let grid = SVGGrid(
      columns: sizes.map(\.width).max() ?? 0, lines: sizes.map(\.height).max() ?? 0)
    var inks = SVGInks(paper: paper, theme: first.theme)
    let ground = inks.ground
    var rows = SVGRowLibrary()
    var screens: [String] = []
    for frame in frames {
      inks.use(frame.theme)
      var body: [String] = []
      if inks.ground != ground {
        body.append(
          "<rect width=\"\(grid.width)\" height=\"\(grid.height)\" fill=\"\(inks.ground)\"/>")
      }
      for row in 0..<frame.picture.canvas.height {
        body += rows.use(frame.picture.canvas[row: row], y: grid.y(row), in: grid, &inks)
      }
      if let cursor = frame.picture.cursor { body.append(grid.cursor(cursor, inks)) }
      let top = screens.count * grid.height
      screens.append("<g transform=\"translate(0 \(top))\">\(body.joined())</g>")
    }
    inks.use(first.theme)
    return grid.file(
      inks, style: rules(height: grid.height),
      body: ["<defs>"] + rows.definitions + ["</defs>", "<g class=\"frames\">"] + screens + ["</g>"]
    )
  }

  /// The rules of the animation: each frame stays until the next one's time.
  private func rules(height: Int) -> String {
    let start = frames.first?.slot ?? 0
    let end = (frames.last?.slot ?? 0) + Int64(Self.rest / Self.slot) - start
    let steps = frames.enumerated().map { index, frame in
      // Thousandths of a percent.
      let share = (frame.slot - start) * 100_000 / end
      let decimals = String(share % 1000 + 1000).dropFirst()
      return "\(share / 1000).\(decimals)%{transform:translateY(-\(index * height)px)}"
    }
    return "@keyframes frames{\(steps.joined())}"
      + ".frames{animation:frames \(end / 10).\(end % 10)s step-end infinite}"
      + "@media(prefers-reduced-motion:reduce){.frames{animation:none}}"
  }
}

/// The distinct rows of an animation.
struct SVGRowLibrary {
  /// The elements that define the rows.
  private(set) var definitions: [String] = []
  private var names: [String: String] = [:]

  /// The reference to a row at `y`, whose definition is added if it is new; none for a blank row.
  mutating func use(
    _ cells: ArraySlice<CanvasCell>, y: Int, in grid: SVGGrid, _ inks: inout SVGInks
  ) -> [String] {
    let body =
      grid.backgrounds(cells, y: 0, inks)
      + SVGRow(cells, &inks).elements(y: 0, in: grid, placing: .runs)
    if body.isEmpty { return [] }
    let text = body.joined()
    let name = names[text] ?? "r\(names.count)"
    if names.updateValue(name, forKey: text) == nil {
      definitions.append("<g id=\"\(name)\">\(text)</g>")
    }
    return ["<use href=\"#\(name)\" y=\"\(y)\"/>"]
  }
}
