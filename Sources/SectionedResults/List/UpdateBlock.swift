/// An update block that is open: how deep it is nested and what was recorded in it (rule 55).
struct UpdateBlock: Equatable, Sendable {
  var depth = 1
  var edits = ListEdits()
}
