/// A text that went from the prompt to the editor, with its cursor.
struct LeftPrompt: Equatable {
  /// The text at that time.
  let text: String
  /// The cursor in its bytes.
  let point: Int

  /// The line of the cursor, from 1.
  var line: Int { text.utf8.prefix(point).count { $0 == 0x0A } + 1 }

  /// The cursor in the text that came back: at the same words if they are as they were, else after what
  /// changed.
  func place(in new: String) -> Int {
    let (old, new) = (Array(text.utf8), Array(new.utf8))
    let head = zip(old, new).prefix { $0 == $1 }.count
    if point <= head { return point }
    let most = min(old.count, new.count) - head
    let tail = zip(old.reversed(), new.reversed()).prefix(most).prefix { $0 == $1 }.count
    if point >= old.count - tail { return point + new.count - old.count }
    var place = new.count - tail
    while place < new.count, new[place] & 0xC0 == 0x80 { place += 1 }
    return place
  }
}
