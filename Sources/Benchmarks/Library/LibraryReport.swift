import Foundation
import Glibc

/// A figure of a contender at one size.
enum FeedFigure: String, CaseIterable, Codable {
  case fetch, screen, one, hundred, tenThousand, memory, memoryAtEnd

  /// The number of rows written, for a figure that is a change.
  var writes: Int? {
    switch self {
    case .one: 1
    case .hundred: 100
    case .tenThousand: 10_000
    case .fetch, .screen, .memory, .memoryAtEnd: nil
    }
  }

  var isMemory: Bool { self == .memory || self == .memoryAtEnd }

  /// The heading of its column.
  var name: String {
    switch self {
    case .fetch: "fetch"
    case .screen: "first screen"
    case .one: "one row"
    case .hundred: "100 rows"
    case .tenThousand: "10,000 rows"
    case .memory: "memory"
    case .memoryAtEnd: "at the end"
    }
  }
}

/// The lists of many controllers over one store.
enum Crowd: String, CaseIterable, Codable {
  /// Each shows one of a hundred feeds.
  case feeds
  /// Each shows all rows.
  case everything

  var name: String {
    switch self {
    case .feeds: "1 in 100"
    case .everything: "all"
    }
  }

  /// The table of all crowds.
  static let items = FeedItems(count: 10_000, feeds: 100)
}

/// A line of the measuring process.
enum ProbeLine: Equatable {
  /// A round of a figure begins.
  case begin(FeedFigure)
  case sample(ProbeSample)

  var text: String {
    switch self {
    case .begin(let figure): figure.rawValue
    case .sample(let sample): "\(sample.figure.rawValue) \(sample.value) \(sample.wall)"
    }
  }

  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: " ")
    guard let figure = parts.first.flatMap({ FeedFigure(rawValue: String($0)) }) else { return nil }
    if parts.count == 1 {
      self = .begin(figure)
    } else if parts.count == 3, let value = Double(parts[1]), let wall = Double(parts[2]) {
      self = .sample(ProbeSample(figure: figure, value: value, wall: wall))
    } else {
      return nil
    }
  }
}

/// One measurement.
struct ProbeSample: Equatable {
  let figure: FeedFigure
  /// Milliseconds of processor time, or MiB.
  let value: Double
  /// Milliseconds of the clock; 0 for memory.
  var wall = 0.0
}

/// A cell of the table: the median of the rounds of one figure.
struct FeedCell: Codable, Equatable {
  let figure: FeedFigure
  /// Milliseconds of processor time, or MiB; `nil` if no round was completed.
  var value: Double?
  /// Milliseconds of the clock.
  var wall: Double?
  var rounds = 0
  /// Why no round was completed.
  var reason: String?
}

/// The figures of one contender at one size: of a list, or of a crowd of lists.
struct FeedResult: Codable, Equatable {
  let contender: ContenderKind
  /// The number of rows, or of controllers.
  let size: Int
  /// The crowd whose controllers are counted.
  var crowd: Crowd?
  var cells: [FeedCell]

  /// - Parameter leftOut: the figure that was being measured when the process was ended, and why.
  init(
    _ contender: ContenderKind, size: Int, crowd: Crowd? = nil, samples: [ProbeSample],
    leftOut: (figure: FeedFigure, reason: String)? = nil
  ) {
    self.contender = contender
    self.size = size
    self.crowd = crowd
    cells = FeedFigure.allCases.compactMap { figure in
      let own = samples.filter { $0.figure == figure }
      guard !own.isEmpty else {
        return leftOut?.figure == figure ? FeedCell(figure: figure, reason: leftOut?.reason) : nil
      }
      let value = Samples(own.map(\.value)).median
      let wall = figure.isMemory ? nil : Samples(own.map(\.wall)).median
      return FeedCell(figure: figure, value: value, wall: wall, rounds: own.count)
    }
  }

  subscript(figure: FeedFigure) -> FeedCell? { cells.first { $0.figure == figure } }
}

/// A run of the library's figures: what the table and the plot show.
struct LibraryReport: Codable, Equatable {
  /// The machine and its load at the start and at the end.
  let machine: String
  let date: String
  /// The seconds after which no further round of a figure begins, and a single round is given up.
  let limit: Int
  var loads: [String]
  var results: [FeedResult] = []

  init(limit: Int) {
    machine = Machine.name
    date = Machine.today
    self.limit = limit
    loads = [Machine.load]
  }

  /// The results of single lists.
  var lists: [FeedResult] { results.filter { $0.crowd == nil } }

  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
