// SPDX-License-Identifier: MIT

import SectionedResults

extension StoreConformance {
  /// Checks the edits of a store that has no rows, by random transactions, of which many must be refused.
  ///
  /// ```swift
  /// try conformance.checkEdits(store)
  /// ```
  ///
  /// It checks what `EditableResultsStore` promises beside the answers of ``check(_:seed:write:)``: edits
  /// are made in their order, all or none; one of a row that is there or gone is refused as `rowExists` or
  /// `rowIsGone`; the observers are called before `commit(_:)` returns, and not by a refused transaction.
  ///
  /// - Parameters:
  ///   - store: the store to check.
  ///   - seed: the random transactions; a failure names it.
  /// - Throws: ``StoreConformanceFailure`` for the first broken promise, or another error of the store.
  public func checkEdits(_ store: any EditableResultsStore<Row, Row>, seed: UInt64 = 1) throws {
    var notices = 0
    let token = store.observeCommits { notices += 1 }
    try withExtendedLifetime(token) {
      try check(store, seed) { model, random in
        let edits = randomEdits(over: model, &random)
        return Transaction(name: "\(edits)") { model in
          notices = 0
          let (before, refusal) = (model.rows, model.refusal(of: edits))
          do {
            try store.commit(edits)
            if let refusal { throw Wrong("the edits were made; expected \(refusal)") }
            if model.rows != before, notices == 0 {
              throw Wrong("the observers were not called before commit returned")
            }
          } catch let error as ResultsError {
            try expect("\(error)", refusal.map { "\($0)" } ?? "no error", "the error of the edits")
            try expect(notices, 0, "calls of the observers by refused edits")
          }
        }
      }
    }
  }

  private func randomEdits(
    over model: Model, _ random: inout any RandomNumberGenerator
  ) -> [ResultsEdit<Row, Row>] {
    (0..<Int.random(in: 1...4, using: &random)).map { _ in
      let row = randomRow(&random)
      // Of two rows with random identities, few edits would find one.
      let rows = model.rows.values.sorted { $0.id.exact < $1.id.exact }
      let known = rows.randomElement(using: &random)?.id ?? row.id
      return switch Int.random(in: 0..<6, using: &random) {
      case 0, 1: .insert(row)
      case 2: .update(row.id, to: row)
      case 3: .update(known, to: row)
      case 4: .delete(known)
      default: .delete(row.id)
      }
    }
  }
}

extension StoreConformance.Model {
  /// Makes edits, all or none.
  ///
  /// - Returns: the error of the first that cannot be made.
  fileprivate mutating func refusal(of edits: [ResultsEdit<Row, Row>]) -> ResultsError? {
    let before = rows
    for edit in edits {
      if let error = refusal(of: edit) {
        rows = before
        return error
      }
    }
    return nil
  }

  private mutating func refusal(of edit: ResultsEdit<Row, Row>) -> ResultsError? {
    switch edit {
    case .insert(let row):
      if rows[row.id.exact] != nil { return .rowExists("\(row.id)") }
      rows[row.id.exact] = row
    case .update(let id, let row):
      if rows[id.exact] == nil { return .rowIsGone("\(id)") }
      if row.id.exact != id.exact, rows[row.id.exact] != nil { return .rowExists("\(row.id)") }
      rows[id.exact] = nil
      rows[row.id.exact] = row
    case .delete(let id):
      if rows[id.exact] == nil { return .rowIsGone("\(id)") }
      rows[id.exact] = nil
    }
    return nil
  }
}
