import Glibc
import Journal
import Screen
import SectionedResults
import Terminal
import TextLayout

extension AppRunner {
  /// Asks the listing; what it answers is sent as an intent.
  func list(_ effect: Effect) throws {
    switch effect {
    case .reload: try listing.reload(selection: state.list.selection)
    case .findDay(let words):
      let place = try listing.place(of: words)
      send(.dayFound(place?.path, note: place?.missing.map { nothing(of: $0, words) }))
    case .markRows(let range, let change, let action):
      send(.rowsMarked(try listing.numbers(in: range), change, then: action))
    case .markAll: send(.rowsMarked(try listing.allNumbers(), .toggle))
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
    guard keysAreTyped else {
      wanted.want(effect)
      return doWanted()
    }
    do {
      // The result of the last query that can be read stays, also where none was shown yet.
      switch effect {
      case .show(let scope, _) where state.filtering != nil: try listing.check(scope)
      case .find(let text, _, .here): _ = try listing.parsed(text)
      default: break
      }
      wanted.want(effect)
    } catch {
      if case .find = effect { wanted.finishFind() }
      fail(effect, error)
    }
  }

  /// Does what is wanted, and gives it up for now as soon as a key is pressed.
  func doWanted() {
    doWanted { self.interruption($0) }
  }

  /// Finishes what the keys so far have asked for, so that the next key acts on what it leads to.
  ///
  /// Keys that are typed into a filter or a search do not wait: only the last text counts. ^C ends the
  /// waiting.
  func finishWanted() {
    guard wanted.result != nil, state.prompt?.kind.isLive != true else { return }
    doWanted(onlyResults: true) { self.patience($0) }
    guard wanted.result != nil else { return }
    wanted = WantedWork()
    send(.workCancelled)
  }

  private func doWanted(onlyResults: Bool = false, unless isCancelled: (String) -> () -> Bool) {
    while let effect = onlyResults ? wanted.result : wanted.next {
      do {
        guard let news = try answer(to: effect, unless: isCancelled) else { return }
        wanted.finish(effect)
        send(news)
        if case .show(let typed, _) = effect, let note = prefixNote(typed, news) {
          send(.saved(Saved(note)))
        }
      } catch {
        wanted.finish(effect)
        fail(effect, error)
      }
    }
  }

  /// Says that a filter's last word was taken as the beginning of one.
  private func prefixNote(_ typed: ListScope, _ news: Intent) -> String? {
    guard state.prompt?.kind != .filter, case .listShown(let scope, _, _, _, _) = news else {
      return nil
    }
    let words = typed.filter.split(separator: " ").joined(separator: " ")
    guard typed.takesPrefix, scope.filter == words + "*" else { return nil }
    // Of a single word it is the word that is missing; of more it is an entry with all of them.
    return words.allSatisfy { $0.isLetter || $0.isNumber }
      ? "no word \"\(words)\"; showing \(scope.filter)"
      : "no entry matches \(words); showing \(scope.filter)"
  }

  private func fail(_ effect: Effect, _ error: any Error) {
    let reason = Failure(explaining: error).screenMessage
    switch effect {
    case .show(let scope, _): send(.listNotShown(scope, reason))
    case .find: send(.searchFailed(reason))
    default:
      send(.working(nil))
      send(.failed(reason))
    }
  }

  private func answer(
    to effect: Effect, unless isCancelled: (String) -> () -> Bool
  ) throws -> Intent? {
    switch effect {
    case .show(let typed, let landing):
      let scope = state.prompt?.kind == .filter ? typed : try listing.settled(typed)
      return try listing.show(
        scope, from: state.list.selection, landing, isCancelled: isCancelled("searching"))
    case .find(let text, let place, let direction):
      let path = place.map { $0.path ?? RowPath($0.section, 0) }
      return try listing.find(text, from: path, direction, isCancelled: isCancelled("searching"))
    case .countMatches(let text, let path): return try count(matchesOf: text, at: path)
    case .countStatistics(let scope, let year):
      let isCancelled = isCancelled("counting")
      guard let all = try listing.statistics(of: scope, isCancelled: isCancelled) else {
        return nil
      }
      let today = settings.dayRule.day(of: store.clock.moment())
      guard let year else { return .statisticsCounted(scope, all, today: today) }
      // Hours, tags and stars of a year do not follow from those of all.
      let counted = try listing.statistics(of: scope, year: year, isCancelled: isCancelled)
      let years = all.years.map(\.first.year)
      return counted.map {
        .statisticsCounted(scope, $0, today: today, year: year, years: years)
      }
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
  private func interruption(_ work: String) -> () -> Bool {
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
