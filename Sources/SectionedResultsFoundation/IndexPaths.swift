// SPDX-License-Identifier: MIT

import Foundation
import SectionedResults

extension IndexPath {
  /// The path of a row as Foundation's: section, then row.
  public init(_ path: RowPath) { self.init(indexes: [path.section, path.row]) }
}

extension RowPath {
  /// The path of Foundation's with two levels, section and row; `nil` for any other one.
  public init?(_ path: IndexPath) {
    guard path.count == 2 else { return nil }
    self.init(section: path[0], row: path[1])
  }
}
