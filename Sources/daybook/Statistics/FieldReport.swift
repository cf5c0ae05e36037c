import Journal
import Screen

/// The sums of a field in the formats of `daybook stats --field` that programs read.
struct FieldReport {
  let name: String
  let statistics: FieldStatistics
  let grouping: Grouping?

  /// The numbers as JSON, with durations in seconds.
  var json: String {
    var members = [
      JSONMember("field", .string(name)),
      JSONMember("unit", .string(statistics.isDuration ? "s" : statistics.unit)),
    ]
    members += statistics.all.map(Self.members) ?? [JSONMember("count", .number("0"))]
    members.append(JSONMember("others", .number("\(statistics.others)")))
    if let grouping {
      members.append(JSONMember("by", .string(grouping.rawValue)))
      members.append(
        JSONMember(
          "periods",
          .array(
            statistics.parts.map {
              .object([JSONMember("period", .string($0.key))] + Self.members($0.summary))
            })))
    }
    var bytes: [UInt8] = []
    JSONValue.object(members).append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func members(_ summary: FieldStatistics.Summary) -> [JSONMember] {
    [JSONMember("count", .number("\(summary.count)"))]
      + summary.columns.map { JSONMember($0.name, .number(FieldUnit.decimal($0.value))) }
  }

  /// A picture with a bar for the sum of each period.
  var svg: String { FieldSVG(name: name, statistics: statistics, grouping: grouping).text }
}
