import Journal
import SectionedResults

/// The top of a list by day: today, although nothing may have been written yet, and below it the latest
/// entries of this day in other years.
package struct DayHead: Equatable, Sendable {
  /// Today, by the day rule.
  package var day: Day
  /// Whether entries of other years are shown.
  package var showsOtherYears: Bool

  package init(day: Day, showsOtherYears: Bool = true) {
    self.day = day
    self.showsOtherYears = showsOtherYears
  }

  /// The key of the section with entries of other years.
  package static var sectionKey: String { Grouping.onThisDayKey }
  /// The number of these entries shown; `:onthisday` shows all.
  private static var limit: Int { 3 }

  /// The parts of a list of all entries by day.
  func parts(over request: EntryRequest) -> [CompositeResults<EntryRow>.Part] {
    let otherYears: Query =
      showsOtherYears
      ? .and([.everyYear(month: day.month, day: day.day), .until(day.adding(days: -1))])
      // No entry has this number.
      : .id(0)
    return [
      .init(request, anchors: [day.description]),
      .init(
        .entries(query: otherYears, grouping: .none, limit: Self.limit),
        keyPrefix: Self.sectionKey, place: .init(afterSection: day.description, ofPart: 0)),
    ]
  }
}
