@testable import Journal

/// The rules of the specification, written down once more, field by field and without haste.
struct EntryMergeOracle {
  var entry: Entry?
  var losing: [String] = []

  init(_ base: Entry?, _ left: Entry?, _ right: Entry?) {
    guard let left, let right else {
      guard let side = left ?? right else { return }
      guard let base else {
        entry = side
        return
      }
      if Array(side.text.utf8) != Array(base.text.utf8) {
        entry = side
        if base.deleted != nil || side.deleted == nil { entry?.deleted = nil }
      } else if side.deleted == nil {
        let isSame =
          side.starred == base.starred && side.created == base.created && side.day == base.day
          && base.deleted == nil
        entry = isSame ? nil : side
      }
      return
    }
    func same(_ one: Entry, _ two: Entry) -> Bool {
      Array(one.text.utf8) == Array(two.text.utf8) && one.created == two.created
        && one.modified == two.modified && one.day == two.day && one.starred == two.starred
        && one.deleted == two.deleted
    }
    if let base, same(left, base) {
      entry = right
    } else if let base, same(right, base) {
      entry = left
    } else if same(left, right) {
      entry = left
    } else {
      let later = Self.later(left, right)
      var result = later
      func choose<Value: Equatable>(_ base: Value?, _ value: (Entry) -> Value) -> Value {
        if value(left) == base { return value(right) }
        if value(right) == base { return value(left) }
        return value(later)
      }
      result.starred = choose(base?.starred ?? false) { $0.starred }
      result.deleted = choose(base.map(\.deleted) ?? .some(nil)) { $0.deleted }
      let date = choose(base.map { [$0.created.description, $0.day.description] }) {
        [$0.created.description, $0.day.description]
      }
      result.created = Moment(date[0]) ?? later.created
      result.day = Day(date[1]) ?? later.day
      result.modified =
        [left.modified, right.modified].sorted {
          ($0.seconds, $0.offset) < ($1.seconds, $1.offset)
        }[1]
      let bytes = [base?.text ?? "", left.text, right.text].map { Array($0.utf8) }
      for (side, other, text) in [(left, right, bytes[1]), (right, left, bytes[2])]
      where base?.deleted == nil && side.deleted == nil && other.deleted != nil {
        if text != bytes[0], bytes[1] != bytes[2] { result.deleted = nil }
      }
      for (side, other) in [(left, right), (right, left)] where base == nil && side.deleted == nil {
        if let deleted = other.deleted, deleted.seconds <= side.modified.seconds {
          result.deleted = nil
        }
      }
      if let text = TextMerge.merge(base: base?.text ?? "", left.text, right.text) {
        result.text = text
      } else {
        let isLeft = same(later, left)
        let sides = [TextMerge.Side.left, .right].map { side in
          base.flatMap { TextMerge.merge(base: $0.text, left.text, right.text, favouring: side) }
        }
        let texts = sides.contains(nil) ? [left.text, right.text] : sides.compactMap(\.self)
        result.text = texts[isLeft ? 0 : 1]
        losing = [texts[isLeft ? 1 : 0]]
      }
      entry = result
    }
  }

  private static func later(_ left: Entry, _ right: Entry) -> Entry {
    func key(_ entry: Entry) -> [String] {
      let values = EntrySchema.fields.dropFirst(2).map { $0.text(of: entry) }
      return [String(entry.modified.seconds), SHA256.hex(of: entry.text)] + values
    }
    return key(left).lexicographicallyPrecedes(key(right)) ? right : left
  }
}
