import Journal

/// The complaints of an import: the first ones one by one, the rest by reason.
struct ImportComplaints {
  /// The number of invalid records.
  var failed = 0
  private var reported = 0
  private var counts: [String: Int] = [:]

  /// The number of complaints that are reported one by one.
  private static let limit = 10
  private static let reasonLimit = 5

  /// Counts a complaint.
  ///
  /// - Returns: whether it is reported by itself.
  mutating func add(_ reason: String, isDoubt: Bool) -> Bool {
    if !isDoubt { failed += 1 }
    guard reported == Self.limit else {
      reported += 1
      return true
    }
    // Reasons with parts of the file differ from line to line.
    let known = counts[reason] != nil || counts.count < Self.reasonLimit
    counts[known ? reason : "", default: 0] += 1
    return false
  }

  /// The complaints that were not reported one by one: `4,980 more: 4,980 has no date`.
  var rest: String? {
    let total = counts.values.reduce(0, +)
    guard total > 0 else { return nil }
    let order = counts.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
    let reasons = order.map { reason, count in
      "\(Numbers.grouped(count)) \(reason.isEmpty ? "for other reasons" : "\"\(reason)\"")"
    }
    let what = Numbers.counted(total, "more record", "more records")
    return "\(what): \(reasons.joined(separator: ", "))"
  }
}
