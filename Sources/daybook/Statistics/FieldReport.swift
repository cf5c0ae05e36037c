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
  var svg: String {
    let parts = statistics.parts
    let sums = parts.map { Double($0.summary.sum) }
    let (top, bottom) = (max(sums.max() ?? 0, 0), min(sums.min() ?? 0, 0))
    let span = max(top - bottom, 1)
    let height = 120.0
    let unit = statistics.unit.isEmpty ? "" : " in " + statistics.unit
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(max(parts.count, 1) * 12 + 8) 152" role="img">
      <title>\(StatisticsSVG.escaped(name + unit))</title>

      """
    for (index, part) in parts.enumerated() {
      let length = (abs(sums[index]) / span * height * 100).rounded() / 100
      let base = (top / span * height * 100).rounded() / 100 + 20
      let y = sums[index] < 0 ? base : ((base - length) * 100).rounded() / 100
      text += """
        <rect x="\(index * 12 + 4)" y="\(y)" width="10" height="\(length)" rx="1" fill="#4078c0">\
        <title>\(part.key): \(StatisticsSVG.escaped(statistics.text(part.summary.sum)))</title></rect>

        """
    }
    return text + "</svg>\n"
  }
}
