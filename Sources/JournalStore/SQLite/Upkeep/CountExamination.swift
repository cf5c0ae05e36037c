import GRDB

/// Compares the counts of days and tags with what they count.
struct CountExamination {
  let db: Database

  func findings() throws -> [Finding] {
    let days = try String.fetchAll(
      db,
      sql: """
        SELECT ifnull(CAST(day AS TEXT), '') FROM (
          SELECT day, count(*) AS entries FROM entry WHERE deleted IS NULL GROUP BY day
          EXCEPT SELECT day, entries FROM section_count)
        UNION SELECT ifnull(CAST(day AS TEXT), '') FROM (
          SELECT day, entries FROM section_count
          EXCEPT SELECT day, count(*) FROM entry WHERE deleted IS NULL GROUP BY day)
        """)
    let tags = try String.fetchAll(
      db,
      sql: """
        SELECT ifnull(CAST(tag AS TEXT), '') FROM (
          SELECT tag, count(*) FROM entry_tag WHERE live = 1 GROUP BY tag
          EXCEPT SELECT tag, entries FROM tag_count)
        UNION SELECT ifnull(CAST(tag AS TEXT), '') FROM (
          SELECT tag, entries FROM tag_count
          EXCEPT SELECT tag, count(*) FROM entry_tag WHERE live = 1 GROUP BY tag)
        """)
    return days.map { Finding("day \($0): the count of entries is wrong", .mending) }
      + tags.map { Finding("tag \"\($0)\": the count of entries is wrong", .mending) }
  }
}
