import CTerminal
import Glibc

/// The size of a screen in character cells.
public struct ScreenSize: Hashable, Sendable {
  /// The number of lines, at least 1.
  public var rows: Int

  /// The number of columns, at least 1.
  public var columns: Int

  /// Makes a size; what is below 1 becomes 1.
  public init(rows: Int, columns: Int) {
    self.rows = max(rows, 1)
    self.columns = max(columns, 1)
  }

  /// The largest size taken from the environment or a terminal, in either direction.
  ///
  /// A screen of more cells than a person can see is a mistake that would take all memory.
  public static let limit = 1_000

  /// The size of the terminal `descriptor`; else `LINES` and `COLUMNS`; else 24×80.
  public static func current(descriptor: Int32 = STDOUT_FILENO) -> ScreenSize {
    var rows: Int32 = 0
    var columns: Int32 = 0
    if daybook_window_size(descriptor, &rows, &columns) == 0 {
      return ScreenSize(rows: min(Int(rows), limit), columns: min(Int(columns), limit))
    }
    return ScreenSize(
      rows: positive(environment: "LINES") ?? 24, columns: positive(environment: "COLUMNS") ?? 80)
  }

  private static func positive(environment name: String) -> Int? {
    guard let text = getenv(name), let number = Int(String(cString: text)), number > 0 else {
      return nil
    }
    return min(number, limit)
  }
}
