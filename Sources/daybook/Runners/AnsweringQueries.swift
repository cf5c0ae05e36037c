import Screen
import TextLayout

// When the pending queries of the list are answered: between keys, or before one.

extension ScreenLoop {
  /// Answers the pending queries; a key interrupts them until later.
  func answerQueries() {
    while answerNextQuery() {}
  }

  /// Answers the pending queries, and shows the result of each before the next one: a list before its counts.
  ///
  /// - Throws: the errors of the display.
  func answerAndShow() throws {
    // A voice says the result of a key once.
    while answerNextQuery() { if display.voice == nil { try show() } }
    try show()
  }

  /// Answers the next pending query.
  ///
  /// - Returns: whether there may be another one to answer now.
  func answerNextQuery() -> Bool {
    // After an ESC, which is a key a moment later: a query that continued would hold it back.
    guard !timers.isSet(.escape), let query = state.work.queries.next else { return false }
    return answering { answer(query, unless: { [work] in work.interruption($0) }) }
  }

  /// Answers the queries of the keys so far on whose results a key acts; others go on after it.
  ///
  /// Keys typed into a filter or a search do not wait, since only the last text counts. `^C`
  /// cancels the wait.
  func finishQueries(before key: KeyStroke?) {
    func awaited() -> ListQuery? {
      key.map { state.awaitedQuery(before: $0, configuration.keys) } ?? state.awaitedQuery
    }
    guard awaited() != nil, state.prompt.open?.kind.isLive != true else { return }
    _ = answering {
      while let query = state.awaitedQuery {
        guard answer(query, unless: { [work] in work.cancellation($0) }) else { return false }
      }
      return true
    }
    if state.awaitedQuery != nil { send(.list(.workCancelled)) }
  }

  /// An answer is an event, which answers queries: in the outer call, not in a nested one.
  private func answering(_ answers: () -> Bool) -> Bool {
    guard !isAnswering else { return false }
    isAnswering = true
    defer { isAnswering = false }
    return answers()
  }

  /// - Returns: whether it was not interrupted.
  private func answer(
    _ query: ListQuery, unless isCancelled: (String) -> () -> Bool
  ) -> Bool {
    session?.list.answer(query, in: state, unless: isCancelled) ?? false
  }
}
