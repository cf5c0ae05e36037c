import SectionedResults

/// An entry in a scope of the list, to return to.
package struct Place: Hashable, Sendable {
  package var scope: ListScope
  /// The number of the entry.
  package var number: Int64
  /// The place in its text; `nil` for its row in the list.
  package var text: TextPlace?

  package init(scope: ListScope, number: Int64, text: TextPlace? = nil) {
    self.scope = scope
    self.number = number
    self.text = text
  }
}

/// A place in the text of the reading pane.
package struct TextPlace: Hashable, Sendable {
  /// The first visible line.
  package var offset: Int
  /// The index of the selected link.
  package var stop: Int?
}

/// The use of a place, once the number of its entry is read.
package enum PlaceUse: Hashable, Codable, Sendable {
  /// A jump led away from it.
  case jump
  /// The user goes back from it for the first time, so that going forward leads to it again.
  case present
  /// It gets the mark of a letter.
  case mark(String)
}

/// The places that jumps left, oldest first, and the marked ones: vim's jump list and marks.
package struct Places: Equatable, Sendable {
  /// The places before jumps.
  private var jumps: [Place] = []
  /// The index of the place that was gone back to; the number of places at the present.
  private var index = 0
  /// The places with marks, by letter.
  private(set) var marks: [String: Place] = [:]
  /// The use of the next letter: a mark to set, or one to go to.
  var letterUse: MarkUse?
  /// Whether the requested list is not a jump, since it is that of a stored place.
  var isGoing = false
  /// The place in a text to go back to, once its entry is read.
  var reading: Place?

  /// The use of a letter after the key of marks.
  enum MarkUse: Equatable, Sendable { case set, go }

  /// The maximum number of jumps; the oldest are dropped.
  static let most = 100

  package init() {}

  /// Whether no place was gone back to.
  var isAtPresent: Bool { index >= jumps.count }

  /// Whether there is a place to go forward to.
  var hasLater: Bool { index < jumps.count - 1 }

  /// Whether there is a place to go back to.
  var hasEarlier: Bool { index > 0 }

  /// Adds a place before a jump; places ahead are dropped.
  mutating func add(_ place: Place) {
    jumps.removeSubrange(min(index, jumps.count)...)
    jumps.removeAll { $0 == place }
    jumps.append(place)
    if jumps.count > Self.most { jumps.removeFirst() }
    index = jumps.count
  }

  /// Adds the present place, and stays there.
  mutating func addPresent(_ place: Place) {
    add(place)
    index = jumps.count - 1
  }

  /// Goes back or forward.
  ///
  /// - Returns: the place; `nil` at the end.
  mutating func step(_ count: Int) -> Place? {
    let target = max(0, min(index + count, jumps.count - 1))
    guard jumps.indices.contains(target), target != index else { return nil }
    index = target
    return jumps[target]
  }

  mutating func mark(_ place: Place, as letter: String) { marks[letter] = place }
}

/// Going back to earlier places, and to marks.
extension State {
  /// Records a jump: another list, or a movement of the selection by more than a screen.
  ///
  /// - Parameters:
  ///   - before: the list, its scope and the typed filter before the event.
  /// - Returns: the request for the number of the entry that was left, if the event has none.
  mutating func noteJump(from before: PlaceBefore, by event: Event) -> [Effect] {
    if case .list(.shown(_, _, _, _, let leaving, _)) = event {
      defer { places.isGoing = false }
      guard !places.isGoing, list.filtering == nil else { return [] }
      let scope = before.filtering?.scope ?? before.scope
      guard scope != self.list.scope, !self.list.scope.differsOnlyInMeasure(from: scope),
        let number = before.filtering?.entry ?? leaving
      else {
        return []
      }
      places.add(Place(scope: scope, number: number))
      return []
    }
    if case .list(let event) = event {
      switch event {
      case .placeRestored, .entryFound: return []
      // A link led there; its own place is known.
      case .dayFound where places.isGoing:
        places.isGoing = false
        return []
      case .notShown, .workCancelled: (places.isGoing, places.reading) = (false, nil)
      case .batchArrived, .reloaded, .shown, .searchParsed, .searchPrepared, .searchFailed,
        .highlightEnded, .deletionSettled, .dayFound, .matchFound, .matchesCounted, .rowsMarked,
        .allMarked,
        .trashCounted,
        .placeFound, .measured:
        break
      }
    }
    guard before.scope == list.scope, before.generation == list.widget.generation,
      prompt.open?.kind != .search,
      let old = before.path, list.widget.selection?.path != old,
      let line = before.line,
      let now = list.widget.selectionScreenLine.map({ $0 + list.widget.offset }),
      abs(now - line) > max(1, list.widget.height)
    else { return [] }
    return [.list(.findPlace(old, .jump))]
  }

  /// Receives the number of an entry whose place was requested.
  mutating func remember(_ number: Int64, for use: PlaceUse) -> [Effect] {
    let place = Place(scope: list.scope, number: number)
    switch use {
    case .jump: places.add(place)
    case .present:
      places.addPresent(place)
      if let earlier = places.step(-1) { return go(to: earlier) }
    case .mark(let letter):
      places.mark(place, as: letter)
      status = .done("mark \(letter) set; '\(letter) comes back here")
    }
    return []
  }

  /// Goes back or forward through the jumps.
  mutating func stepPlaces(_ count: Int) -> [Effect] {
    guard count < 0 ? places.hasEarlier : places.hasLater else {
      status = .done(count < 0 ? "no earlier place" : "no later place")
      return []
    }
    if count == -1, places.isAtPresent, pages.mode == .reading, let present = readingPlace {
      places.addPresent(present)
      return places.step(-1).map { go(to: $0) } ?? []
    }
    if count == -1, places.isAtPresent, let path = list.widget.selection?.path {
      return [.list(.findPlace(path, .present))]
    }
    guard let place = places.step(count) else {
      status = .done(count < 0 ? "no earlier place" : "no later place")
      return []
    }
    return go(to: place)
  }

  /// Handles the letter after the key of marks.
  mutating func useMark(_ key: String) -> [Effect] {
    let use = places.letterUse
    places.letterUse = nil
    status = nil
    guard key.count == 1, let letter = key.first, letter.isLetter || key == "'" else {
      if !KeySequence.givesUp(key) { status = .failed("a mark is a letter") }
      return []
    }
    if key == "'" { return stepPlaces(places.hasLater ? 1 : -1) }
    guard use == .go else {
      guard let path = list.widget.selection?.path else {
        status = .failed("no entry selected")
        return []
      }
      return [.list(.findPlace(path, .mark(key)))]
    }
    guard let place = places.marks[key] else {
      status = .failed("no mark \(key); m\(key) sets it")
      return []
    }
    let back = list.widget.selection?.path.map { [Effect.list(.findPlace($0, .jump))] } ?? []
    return back + go(to: place)
  }

  private mutating func go(to place: Place) -> [Effect] {
    places.reading = place.text == nil ? nil : place
    if place.text == nil, pages.mode == .reading { leaveMode() }
    // The entry is read first, so that it may be missing in the list.
    if place.scope == list.scope || place.scope.differsOnlyInMeasure(from: list.scope) {
      return readingAgain() + [.list(.findEntry(place.number))]
    }
    places.isGoing = true
    var scope = place.scope
    scope.measure = list.scope.measure
    return [.query(.show(scope, .entry(place.number)))]
  }
}

/// The list before an event, to notice jumps.
struct PlaceBefore {
  let scope: ListScope
  let generation: Int
  let path: RowPath?
  /// The line of the selection in the whole list.
  let line: Int?
  let filtering: FilterEditing?

  init(_ state: State) {
    scope = state.list.scope
    generation = state.list.widget.generation
    path = state.list.widget.selection?.path
    line = state.list.widget.selectionScreenLine.map { $0 + state.list.widget.offset }
    filtering = state.list.filtering
  }
}
