import Glibc
import Journal
import JournalApp
import SectionedResults
import TerminalUI

extension AppRunner {
  /// Asks the listing; what it answers is sent as an intent.
  func list(_ effect: Effect) throws {
    switch effect {
    case .reload: try listing.reload(selection: state.list.selection)
    case .findDay(let words): send(.dayFound(section: try listing.section(of: words)))
    case .markRows(let range, let change, let action):
      send(.rowsMarked(try listing.numbers(in: range), change, then: action))
    case .markAll: send(.rowsMarked(try listing.allNumbers(), .replace))
    case .listIndexTitles: send(.indexTitlesFound(listing.indexTitles()))
    case .countDays(let days):
      let month = days.lowerBound.adding(months: 1)
      send(.daysCounted(month: month, try listing.counts(days)))
    default: break
    }
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
    guard !wanted.isEmpty, state.prompt?.kind.isLive != true else { return }
    doWanted { self.patience($0) }
    guard !wanted.isEmpty else { return }
    wanted = WantedWork()
    send(.workCancelled)
  }

  private func doWanted(unless isCancelled: (String) -> () -> Bool) {
    while let effect = wanted.next {
      do {
        guard let news = try answer(to: effect, unless: isCancelled) else { return }
        wanted.finish(effect)
        send(news)
      } catch {
        wanted.finish(effect)
        fail(effect, error)
      }
    }
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
      let found = try listing.find(
        text, from: path, direction, isCancelled: isCancelled("searching"))
      return found.map { .matchFound(text, $0) }
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
