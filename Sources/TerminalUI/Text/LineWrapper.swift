/// Collects what is to be shown into lines and remembers where the present one may be broken.
struct LineWrapper<Element: Wrappable> {
  let columns: Int
  let borders: WrapBorders
  /// The lines that are whole.
  private(set) var lines: [[Element]] = []
  /// The line that may go on.
  private(set) var line: [Element] = []
  private var used = 0
  /// How many elements of the line come before the last place where it may be broken, if there is one.
  private var breakPoint = 0

  init(columns: Int, borders: WrapBorders) {
    self.columns = columns
    self.borders = borders
  }

  mutating func add(_ element: Element) {
    let cluster = element.shown
    if cluster.columns > columns { return addParts(of: element) }
    if borders == .words, cluster.isSpace, used + cluster.columns > columns {
      return hang(element)
    }
    while used + cluster.columns > columns { breakLine(before: cluster) }
    if canBreak(before: cluster) { breakPoint = line.count }
    line.append(element)
    used += cluster.columns
  }

  /// Takes the whole lines away, so that endless text needs no room.
  mutating func takeLines() -> [[Element]] {
    defer { lines = [] }
    return lines
  }

  /// A blank that no longer fits ends the line and is not seen, also where it is a wide one and
  /// something narrower would still fit.
  private mutating func hang(_ element: Element) {
    line.append(
      element.showing(
        Cluster(
          text: "", columns: 0, isSubstitute: false, sourceLength: element.shown.sourceLength)))
    breakPoint = line.count
    used = columns
  }

  private mutating func breakLine(before cluster: Cluster) {
    let point = canBreak(before: cluster) || breakPoint == 0 ? line.count : breakPoint
    let rest = Array(line[point...])
    lines.append(Array(line[..<point]))
    line = rest
    used = rest.reduce(0) { $0 + $1.shown.columns }
    breakPoint = 0
  }

  private func canBreak(before cluster: Cluster) -> Bool {
    guard let last = line.last?.shown else { return false }
    if borders == .clusters { return true }
    if cluster.isSpace { return false }
    if last.isSpace || (last.columns == 0 && breakPoint == line.count) { return true }
    if cluster.isASCII, last.isASCII { return false }
    if cluster.closes || last.opens { return false }
    return cluster.breaksAnywhere || last.breaksAnywhere
  }

  /// Something wider than a whole line: a picture is spelt over the lines, a wide character cannot
  /// be shown and a space takes its place.
  private mutating func addParts(of element: Element) {
    let cluster = element.shown
    var bytes = cluster.sourceLength
    for character in cluster.isSubstitute ? cluster.text : " " {
      add(
        element.showing(
          Cluster(
            text: String(character), columns: 1, isSubstitute: cluster.isSubstitute,
            sourceLength: bytes)))
      bytes = 0
    }
  }
}
