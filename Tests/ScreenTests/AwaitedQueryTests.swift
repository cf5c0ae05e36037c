import Journal
import Testing
import TextLayout

@testable import Screen

/// The keys that wait for the answer to an earlier key, and those that do not.
struct AwaitedQueryTests {
  private static let queries: [ListQuery] = [
    .show(ListScope()), .find("bread", from: nil, .forward), .markAll,
    .countStatistics(ListScope()), .findTitles("b"), .findPictures(ListScope()),
  ]

  /// What acts on nothing of a page.
  private static let free: Set<Action> = [.command, .redraw, .help, .back, .escape, .quit]

  /// What moves in the list, or opens the command line or the help, and acts on no marks.
  private static func isFreeOfMarks(_ action: Action) -> Bool {
    switch action.row.kind {
    case .move, .fold, .scroll: true
    default: [.command, .redraw, .help].contains(action)
    }
  }

  private static func isFree(_ action: Action, of query: ListQuery) -> Bool {
    query == .markAll ? isFreeOfMarks(action) : isOfPage(query) && free.contains(action)
  }

  private static func isOfPage(_ query: ListQuery) -> Bool {
    [.statistics, .titles, .pictures].contains(query.kind)
  }

  private func store(_ query: ListQuery, _ mode: Mode = .list) -> TestStore {
    var store = TestStore([3])
    store.state.pages.mode = mode
    store.state.work.queries.want(query)
    return store
  }

  @Test("every kind of request that keys act on is in this test")
  func kinds() {
    #expect(Set(Self.queries.map(\.kind)) == Set(ListQuery.Kind.awaited))
  }

  @Test("every key waits for the result that it acts on, and for no other", arguments: queries)
  func bindings(_ query: ListQuery) throws {
    for binding in KeyTable.standard.bindings where binding.contexts.contains(.list) {
      var store = store(query)
      for (index, name) in binding.sequence.keys.enumerated() {
        let stroke = try #require(KeyStroke(named: name))
        let awaited = store.state.awaitedQuery(before: stroke, .standard)
        let isLast = index == binding.sequence.keys.count - 1
        let isFirst = !isLast && (query == .markAll || Self.isOfPage(query))
        let isFree = isFirst || Self.isFree(binding.action, of: query)
        #expect(awaited == (isFree ? nil : query), "\(binding.sequence)")
        if !isLast { store.state.pressed.pending.sequence.keys.append(name) }
      }
    }
  }

  @Test("a letter in a prompt waits for no page or marks, and Enter for what its line may act on")
  func prompts() throws {
    let letter = try #require(KeyStroke(named: "q"))
    let enter = try #require(KeyStroke(named: "<Enter>"))
    for query in Self.queries {
      var store = store(query)
      store.state.prompt.open = OpenPrompt(kind: .command)
      let awaited = query == .markAll || Self.isOfPage(query) ? nil : query
      #expect(store.state.awaitedQuery(before: letter, .standard) == awaited)
      #expect(store.state.awaitedQuery(before: enter, .standard) == query)
    }
  }

  @Test("an unbound key waits for no page or marks, and the answer to a question for all")
  func others() throws {
    let unbound = try #require(KeyStroke(named: "¶"))
    for query in Self.queries {
      var store = store(query)
      let awaited = query == .markAll || Self.isOfPage(query) ? nil : query
      #expect(store.state.awaitedQuery(before: unbound, .standard) == awaited)
      store.state.questions.question = Question(
        "sure?", effect: .terminal(.redraw), refusal: "no")
      #expect(store.state.awaitedQuery(before: unbound, .standard) == query)
    }
  }

  @Test("a page that is closed before its contents came asks for them no longer")
  func closing() {
    var store = TestStore([3])
    _ = update(&store.state, .key("S"))
    #expect(store.state.awaitedQuery?.kind == .statistics)
    _ = update(&store.state, .key("q"))
    #expect(store.state.pages.mode == .list && store.state.work.queries.isEmpty)
  }
}
