/// What a controller shows at one generation.
struct ResultsState<Row: ResultsRow> {
  var tree: ResultsTree<Row>
  var window: ResultsWindow
  var stamp: StoreStamp
  var generation: Generation
  /// Rows that were taken out though the store has them; they count as absent until written again.
  var invalid: Set<Row.ID> = []

  /// Fetches the state of a snapshot, from an outline that is known to be right or the store's own.
  init(
    request: FetchRequest<Row>, snapshot: any ResultsSnapshot<Row>,
    outline: [OutlineGroup<Row.ID>]? = nil, generation: Generation
  ) throws {
    let reader = try ResultsReader(
      request: request, snapshot: snapshot, since: snapshot.stamp())
    tree = try ResultsTree(
      request: request, outline: outline ?? snapshot.outline(of: request), loader: reader.keys)
    stamp = reader.stamp
    self.generation = generation
    window = Self.window(over: tree)
  }

  /// The window that a tree's request lets through.
  static func window(over tree: ResultsTree<Row>) -> ResultsWindow {
    ResultsWindow(
      starts: tree.sectionStarts(), offset: tree.request.offset, limit: tree.request.limit,
      isSectioned: tree.request.sectionField != nil)
  }

  var isSectioned: Bool { tree.request.sectionField != nil }

  /// The sections shown, in order.
  var sectionKeys: Slice<ChunkedArray<ResultsTree<Row>.Section>> {
    tree.sections[window.sections]
  }

  /// The path of a key that may be in the results; loads its leaf.
  mutating func path(
    of key: RowKey<Row.ID>, with reader: ResultsReader<Row>
  ) throws -> RowPath? {
    try tree.loadLeaves(of: [key], with: reader)
    guard let place = tree.position(of: key) else { return nil }
    let position = window.position(section: place.section, row: tree.row(of: place))
    guard window.rows.contains(position) else { return nil }
    return window.path(position: position, section: place.section)
  }
}
