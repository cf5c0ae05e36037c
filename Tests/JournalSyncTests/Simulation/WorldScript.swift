import TestSupport

/// An event of a world; what exactly happens follows from its own seed and from the state of the world, so
/// that other events can be left out.
struct WorldEvent: Hashable, Sendable {
  enum Action: String, CaseIterable, Sendable {
    case add, edit, openEdit, saveEdit, link, rename, delete, restore, purge, star, redate, retag
    case undo, redo, takeBack, putBack, importing, attach, settle
    case clock, restart, powerCut, loseCache, sync, rest
    case remoteEdit, remoteAdd, remoteDelete, remoteGoesBack, remoteStartsAgain, remoteIsEmptied
  }

  /// Its number, from which the words that it writes follow.
  var id: Int
  var action: Action
  var device: Int
  /// The process of the device: 0 for the screen, 1 for commands.
  var process: Int
  var seed: UInt64

  /// Makes a random event.
  init(id: Int, among actions: [(Action, Int)], using random: inout SeededGenerator) {
    self.id = id
    device = random.below(12)
    process = random.chance(percent: 35) ? 1 : 0
    seed = random.next()
    var rest = random.below(actions.reduce(0) { $0 + $1.1 })
    action = actions[0].0
    for (candidate, weight) in actions {
      action = candidate
      rest -= weight
      if rest < 0 { break }
    }
  }

  /// How often each action happens.
  static let weights: [(Action, Int)] = [
    (.add, 13), (.edit, 14), (.openEdit, 4), (.saveEdit, 4), (.link, 5), (.rename, 5), (.delete, 4),
    (.restore, 2), (.purge, 1), (.star, 2), (.redate, 2), (.retag, 2), (.undo, 5), (.redo, 2),
    (.takeBack, 2), (.putBack, 1), (.importing, 2), (.attach, 2), (.settle, 2), (.clock, 2),
    (.restart, 1), (.powerCut, 3), (.loseCache, 1), (.sync, 24), (.rest, 1), (.remoteEdit, 2),
    (.remoteAdd, 1), (.remoteDelete, 1), (.remoteGoesBack, 1), (.remoteStartsAgain, 1),
    (.remoteIsEmptied, 1),
  ]

  /// Those that happen between two calls of a synchronisation.
  static let interruptions = weights.filter {
    ![.openEdit, .restart, .powerCut, .loseCache, .rest, .clock].contains($0.0)
  }

  /// Those of one journal alone.
  static let changes = weights.filter {
    ![
      .clock, .restart, .powerCut, .loseCache, .sync, .rest, .remoteEdit, .remoteAdd, .remoteDelete,
      .remoteGoesBack, .remoteStartsAgain, .remoteIsEmptied, .openEdit,
    ].contains($0.0)
  }
}

/// What a seed makes: the devices of a world, and its events.
struct WorldScript: Sendable {
  let seed: UInt64
  var kinds: [String]
  var zones: [Int]
  var pieceSize: Int
  var filesAtOnce: Int
  var events: [WorldEvent]

  var isSealed: Bool { kinds[0] == "sealed.sqlite" }

  init(seed: UInt64, pieces: [Int], files: [Int]) {
    var random = SeededGenerator(seed: seed)
    self.seed = seed
    let isSealed = random.chance(percent: 25)
    kinds = (0..<2 + random.below(3)).map { _ in
      isSealed ? "sealed.sqlite" : random.chance(percent: 30) ? "json" : "sqlite"
    }
    zones = kinds.map { _ in (random.below(25) - 11) * 3600 }
    pieceSize = pieces[random.below(pieces.count)]
    filesAtOnce = files[random.below(files.count)]
    events = (0..<20 + random.below(40)).map {
      WorldEvent(id: $0 + 1, among: WorldEvent.weights, using: &random)
    }
  }
}

/// Leaves out as many events as possible while a script still fails: delta debugging by halves, quarters, and
/// so on.
///
/// - Parameter fails: whether events fail.
/// - Returns: events that fail; without any one of them they do not.
func shrunk(_ events: [WorldEvent], fails: ([WorldEvent]) -> Bool) -> [WorldEvent] {
  var events = events
  var size = max(1, events.count / 2)
  while true {
    var (start, isShorter) = (0, false)
    while start < events.count {
      let rest = Array(events[..<start] + events[min(start + size, events.count)...])
      if fails(rest) {
        (events, isShorter) = (rest, true)
      } else {
        start += size
      }
    }
    if size == 1, !isShorter { return events }
    if !isShorter || size > events.count { size = max(1, size / 2) }
  }
}
