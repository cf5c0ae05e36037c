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
    case .findDay(let words): send(.dayFound(section: try listing.section(of: words)))
    case .markRows(let range, let change):
      send(.rowsMarked(try listing.numbers(in: range), change))
    case .markAll: send(.rowsMarked(try listing.allNumbers(), .toggle))
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
    wanted.want(effect)
    if !keysAreTyped { doWanted() }
  }

  /// Does what is wanted, and gives it up for now as soon as a key is pressed.
  func doWanted() {
    while let effect = wanted.next {
      do {
        guard let news = try answer(to: effect) else { return }
        wanted.finish(effect)
        send(news)
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

  private func answer(to effect: Effect) throws -> Intent? {
    switch effect {
    case .show(let typed):
      let scope = state.prompt?.kind == .filter ? typed : try listing.settled(typed)
      let wanted = state.unseen.map { EntryRowID(number: $0) } ?? selected
      return try listing.show(scope, selected: wanted, isCancelled: interruption())
    case .find(let text, let place, let direction):
      let path = place.map { $0.path ?? RowPath($0.section, 0) }
      let found = try listing.find(text, from: path, direction, isCancelled: interruption())
      return found.map { .matchFound(text, $0) }
    case .countStatistics(let scope):
      let counted = try listing.statistics(of: scope, isCancelled: interruption("counting"))
      let today = settings.dayRule.day(of: store.clock.moment())
      return counted.map { .statisticsCounted(scope, $0, today: today) }
    default: return nil
    }
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
