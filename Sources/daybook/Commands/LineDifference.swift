/// What lies between two texts, line by line.
enum LineDifference {
  /// The lines of both texts in order: with `-` in front those that went, with `+` those that came,
  /// and with two spaces those around them, at most two on each side.
  ///
  /// - Complexity: the lines of both texts times the lines that differ.
  static func lines(from old: String, to new: String) -> [String] {
    let before = split(old)
    let after = split(new)
    let difference = after.difference(from: before) { $0.utf8.elementsEqual($1.utf8) }
    let (removed, inserted) = (offsets(difference.removals), offsets(difference.insertions))
    var lines: [(text: String, isChange: Bool)] = []
    var (left, right) = (0, 0)
    while left < before.count || right < after.count {
      if left < before.count, removed.contains(left) {
        lines.append(("- \(before[left])", true))
        left += 1
      } else if right < after.count, inserted.contains(right) {
        lines.append(("+ \(after[right])", true))
        right += 1
      } else {
        lines.append(("  \(after[right])", false))
        left += 1
        right += 1
      }
    }
    return nearChanges(lines)
  }

  private static func split(_ text: String) -> [String] {
    text.isEmpty
      ? []
      : text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        .map(String.init)
  }

  private static func offsets(_ changes: [CollectionDifference<String>.Change]) -> Set<Int> {
    Set(
      changes.map { change in
        switch change {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
      })
  }

  private static func nearChanges(_ lines: [(text: String, isChange: Bool)]) -> [String] {
    lines.indices.filter { index in
      lines[max(0, index - 2)...min(lines.count - 1, index + 2)].contains(where: \.isChange)
    }.map { lines[$0].text }
  }
}
