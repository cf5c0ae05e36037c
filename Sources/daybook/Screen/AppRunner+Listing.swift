import Glibc
import Journal
import JournalApp
import SectionedResults
import TerminalUI

extension AppRunner {
  /// Asks the listing; what it answers is sent as an intent.
  func list(_ effect: Effect) throws {
    switch effect {
    case .reload: try listing.reload()
    case .findDay(let words):
      let place = try listing.place(of: words)
      send(.dayFound(place?.path, note: place?.missing.map { nothing(of: $0, words) }))
    case .markRows(let range, let change):
      send(.rowsMarked(try listing.numbers(in: range), change))
    case .markAll: send(.rowsMarked(try listing.allNumbers(), .replace))
    case .listIndexTitles: send(.indexTitlesFound(listing.indexTitles()))
    case .countDays(let days):
      let month = days.lowerBound.adding(months: 1)
      send(.daysCounted(month: month, try listing.counts(days)))
    default: break
    }
  }

  /// What the status line says of days without entries.
  private func nothing(of days: ClosedRange<Day>, _ words: String) -> String {
    let dates = settings.dateStyle(names: .ofUser)
    let (first, last) = (days.lowerBound, days.upperBound)
    let name: String
    if words == "today" {
      name = "today"
    } else if first == last {
      name = "on \(dates.text(of: first))"
    } else if first.description.hasSuffix("-01-01"), last.description.hasSuffix("-12-31") {
      name = "in \(first.year)"
    } else if first.day == 1, last.adding(days: 1) == first.adding(months: 1) {
      name = "in \(dates.names.months[first.month - 1]) \(first.year)"
    } else {
      name = "from \(dates.text(of: first)) to \(dates.text(of: last))"
    }
    return "nothing \(name); nearest entry"
  }

  /// Does an effect that may take long: at once where keys come from a pipe, else when the screen has
  /// shown what was typed.
  func want(_ effect: Effect) {
    wanted.want(effect)
    if !keysAreTyped { doWanted() }
  }

  /// Does what is wanted, and gives it up for now as soon as a key is pressed.
  ///
  /// - Parameter onlyMoves: whether only what changes the list or the selection is done.
  func doWanted(onlyMoves: Bool = false) {
    while let effect = onlyMoves ? wanted.move : wanted.next {
      do {
        guard let news = try answer(to: effect) else { return }
        wanted.finish(effect)
        send(news)
        if case .show(let typed) = effect, let note = prefixNote(typed, news) {
          send(.saved(Saved(note)))
        }
      } catch {
        wanted.finish(effect)
        send(.working(nil))
        send(.failed(Failure(explaining: error).message))
        if case .show(let scope) = effect, state.prompt == nil, keysAreTyped {
          perform(.openPrompt(.filter, text: scope.filter))
        }
      }
    }
  }

  /// Says that a filter's last word was taken as the beginning of one.
  private func prefixNote(_ typed: ListScope, _ news: Intent) -> String? {
    guard state.prompt?.kind != .filter, case .listShown(let scope, _, _, _) = news else {
      return nil
    }
    let words = typed.filter.split(separator: " ").joined(separator: " ")
    guard typed.takesPrefix, scope.filter == words + "*" else { return nil }
    // Of a single word it is the word that is missing; of more it is an entry with all of them.
    return words.allSatisfy { $0.isLetter || $0.isNumber }
      ? "no word \"\(words)\"; showing \(scope.filter)"
      : "no entry matches \(words); showing \(scope.filter)"
  }

  private func answer(to effect: Effect) throws -> Intent? {
    switch effect {
    case .show(let typed):
      let scope = state.prompt?.kind == .filter ? typed : try listing.settled(typed)
      let wanted = state.unseen.map { EntryRowID(number: $0) } ?? selected
      return try listing.show(scope, selected: wanted, isCancelled: interruption())
    case .find(let text, let place, let direction):
      let path = place.map { $0.path ?? RowPath($0.section, 0) }
      return try listing.find(text, from: path, direction, isCancelled: interruption())
    case .countMatches(let text, let path): return try count(matchesOf: text, at: path)
    case .countStatistics(let scope):
      let counted = try listing.statistics(of: scope, isCancelled: interruption("counting"))
      let today = settings.dayRule.day(of: store.clock.moment())
      return counted.map { .statisticsCounted(scope, $0, today: today) }
    default: return nil
    }
  }

  /// Counts matches as long as no key waits, and no longer than a person would look at the match.
  ///
  /// - Returns: `nil` to go on later, because of a key.
  private func count(matchesOf text: String, at path: RowPath) throws -> Intent? {
    let start = ContinuousClock.now
    let place = try listing.matchPlace(of: text, at: path) { [loop, keysAreTyped] in
      keysAreTyped && (loop.isInputWaiting || start.duration(to: .now) > .milliseconds(500))
    }
    if let place { return .matchesCounted(text, place) }
    // A count that takes too long is not wanted again.
    if keysAreTyped, loop.isInputWaiting { return nil }
    wanted.finish(.countMatches(text, at: path))
    return nil
  }

  /// Whether to give up what is being read, because there is a key or a signal to attend to.
  ///
  /// What takes long says so on the status line.
  private func interruption(_ work: String = "searching") -> () -> Bool {
    guard keysAreTyped else { return { false } }
    let start = ContinuousClock.now
    var isTold = false
    return { [loop, unowned self] in
      if loop.isInputWaiting { return true }
      if !isTold, start.duration(to: .now) > .milliseconds(200) {
        isTold = true
        showWork(work)
      }
      return false
    }
  }
}
