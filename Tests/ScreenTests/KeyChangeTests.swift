import Screen
import Testing

/// The user's own keys.
struct KeyChangeTests {
  private let table = KeyTable.standard

  @Test("a key gets another action where that action makes sense, and stands first in its help")
  func rebind() {
    let (changed, refused) = table.changed(by: [KeyChange("x", .star)])
    #expect(refused.isEmpty)
    #expect(changed.match("x", in: .list) == .action(.star))
    #expect(changed.match("x", in: .reading) == .action(.star))
    #expect(changed.match("s", in: .list) == .action(.star))
    #expect(changed.hints(in: .list).map { "\($0.keys) \($0.word)" }.contains("x star"))
  }

  @Test("a bound key loses its action in that context alone")
  func oneContext() {
    let (changed, refused) = table.changed(by: [KeyChange("d", .star, in: .reading)])
    #expect(refused.isEmpty)
    #expect(changed.match("d", in: .reading) == .action(.star))
    #expect(changed.match("d", in: .list) == .action(.delete))
  }

  @Test("a key can be taken away, everywhere or in one context")
  func unbind() {
    let changed = table.changed(by: [
      KeyChange("q", nil), KeyChange("d", nil, in: .reading),
    ]).table
    for context in KeyContext.allCases { #expect(changed.match("q", in: context) == .none) }
    #expect(changed.match("d", in: .reading) == .none)
    #expect(changed.match("d", in: .list) == .action(.delete))
  }

  @Test("a key that is the beginning of others is refused, and they stay")
  func beginning() {
    let (changed, refused) = table.changed(by: [KeyChange("g", .star), KeyChange("x", .star)])
    #expect(refused == [0: .begins("gg", .first)])
    #expect(changed.match("gg", in: .list) == .action(.first))
    #expect(changed.match("x", in: .list) == .action(.star))
  }

  @Test("keys that begin with a bound one are refused")
  func continuation() {
    #expect(table.changed(by: [KeyChange("dd", .delete)]).refused == [0: .continues("d", .delete)])
  }

  @Test("room that another line makes is used, whichever stands first")
  func room() {
    let changes = [KeyChange("dd", .delete), KeyChange("d", nil)]
    for order in [changes, changes.reversed()] {
      let (changed, refused) = table.changed(by: order)
      #expect(refused.isEmpty)
      #expect(changed.match("d", in: .list) == .prefix)
      #expect(changed.match("dd", in: .list) == .action(.delete))
    }
  }

  @Test("of two lines in each other's way the later one is refused")
  func twoLines() {
    let (changed, refused) = table.changed(by: [KeyChange("wy", .star), KeyChange("w", .undo)])
    #expect(refused == [1: .begins("wy", .star)])
    #expect(changed.match("wy", in: .list) == .action(.star))
  }

  @Test("a binding for one view overrides one for all views")
  func specific() {
    let changed = table.changed(by: [
      KeyChange("x", .undo, in: .list), KeyChange("x", .star),
    ]).table
    #expect(changed.match("x", in: .list) == .action(.undo))
    #expect(changed.match("x", in: .reading) == .action(.star))
  }

  @Test("after any changes no key hides another one")
  func neverAmbiguous() {
    let sequences: [KeySequence] = ["g", "x", "xx", "d", "dd", "z", "zaa", "q", "<C-x>", "s"]
    let actions: [Action?] = [.star, .undo, nil]
    for first in sequences {
      for second in sequences {
        for action in actions {
          let changed = table.changed(by: [
            KeyChange(first, action), KeyChange(second, .redo), KeyChange("g", nil),
          ]).table
          expectUnambiguous(changed)
        }
      }
    }
  }

  private func expectUnambiguous(_ table: KeyTable) {
    for context in KeyContext.allCases {
      let bound = table.bindings.filter { $0.contexts.contains(context) }.map(\.sequence)
      #expect(Set(bound).count == bound.count)
      for sequence in bound {
        #expect(!bound.contains { sequence.isProperPrefix(of: $0) })
      }
    }
  }
}
