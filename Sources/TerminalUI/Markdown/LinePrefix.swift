/// What stands left of a block: the bars of quotes, the signs of list items, or the room below them.
struct LinePrefix {
  /// Before the first line.
  private(set) var first: [StyledCluster] = []
  /// Before all others; as wide as ``first``.
  private(set) var rest: [StyledCluster] = []
  /// Signs for which there is no room beside the text, and which so begin it.
  private(set) var inText: [StyledCluster] = []
  private(set) var columns = 0
  /// What the first line is, if it is that of a task.
  var task: StyledLine.Task?

  /// The columns left for text are at least half of the line, or four.
  static func limit(_ columns: Int) -> Int {
    columns - min(columns, max((columns + 1) / 2, 4))
  }

  /// Adds the bar of a quote, if there is room.
  mutating func addQuote(limit: Int) {
    guard columns + 2 <= limit else { return }
    let bar = Cluster(text: "\u{2502}", columns: 1, isSubstitute: false, sourceLength: 0)
    append([StyledCluster(bar, style: Style(.quote, dim: true)), .space])
  }

  /// Adds the sign of an item, if there is room, or the room below it.
  mutating func addItem(_ sign: [StyledCluster], isShown: Bool, limit: Int) {
    let width = sign.reduce(1) { $0 + $1.cluster.columns }
    if columns + width <= limit {
      let blanks = Array(repeating: StyledCluster.space, count: width)
      append(isShown ? sign + [.space] : blanks, rest: blanks)
    } else if isShown {
      inText += sign + [.space]
    }
  }

  private mutating func append(_ cells: [StyledCluster], rest others: [StyledCluster]? = nil) {
    first += cells
    rest += others ?? cells
    columns += cells.reduce(0) { $0 + $1.cluster.columns }
  }
}

extension StyledCluster {
  /// A blank that the text does not have.
  static let space = StyledCluster(TextLayout.space)
}
