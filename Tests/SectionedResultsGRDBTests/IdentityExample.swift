// The examples of the article on identities. A test checks that the article contains the lines between the
// markers unchanged.

import GRDB
import SectionedResults
import SectionedResultsGRDB

// composite:begin
/// A row of `seat`, whose primary key is `(train, number)`.
struct Seat: ResultsRow, Codable, FetchableRecord, PersistableRecord {
  var train: String
  var number: Int
  var passenger: String?
  var id: CompositeID { CompositeID(train, number) }
}

final class SeatPlan {
  let seats: ResultsDataProvider<Seat, Seat>

  init(_ database: any DatabaseWriter) throws {
    let store = try GRDBResultsStore<Seat>(database, table: "seat")
    seats = try ResultsDataProvider(
      request: ResultsRequest(sortKeys: [SortKey(\.train), SortKey(\.number)], sections: \.train),
      store: store)
    try seats.reload()
  }

  func book(_ path: RowPath, for passenger: String) throws {
    var seat = try seats.object(at: path)
    seat.passenger = passenger
    try seats.update(seat)
  }
}
// composite:end

// view:begin
/// A row of the view `free_seat`.
struct FreeSeat: ResultsRow, Codable, FetchableRecord {
  var train: String
  var number: Int
  var destination: String
  var id: CompositeID { CompositeID(train, number) }

  static let view = """
    CREATE VIEW free_seat AS
      SELECT seat.train, seat.number, train.destination
      FROM seat JOIN train ON train.name = seat.train WHERE seat.passenger IS NULL
    """

  static func store(_ database: any DatabaseWriter) throws -> GRDBResultsStore<FreeSeat> {
    try GRDBResultsStore(
      database, view: "free_seat", of: "seat",
      related: [RelatedTable("train", "name", equals: "train", of: "seat")])
  }
}
// view:end
