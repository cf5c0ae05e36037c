import GRDB
import GRDBSQLite
import Journal

/// Reads the day of one row after the other; neighbours mostly have the same one.
struct DayColumn {
  private var bytes: (UInt64, UInt16) = (0, 0)
  private var day = Day.earliest

  /// The day in a column, which the table's own check keeps in its form.
  mutating func day(_ columns: Columns, _ index: Int) -> Day {
    let place = CInt(index)
    guard sqlite3_column_bytes(columns.statement, place) == 10,
      let pointer = sqlite3_column_text(columns.statement, place)
    else { return Day.earliest }
    let raw = UnsafeRawPointer(pointer)
    let found = (
      raw.loadUnaligned(as: UInt64.self), raw.loadUnaligned(fromByteOffset: 8, as: UInt16.self)
    )
    guard found != bytes else { return day }
    bytes = found
    day = Day(columns.text(index)) ?? Day.earliest
    return day
  }
}
