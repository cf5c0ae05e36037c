/// Which of the change protocols a delegate conforms to (rule 50).
///
/// Asked once when a delegate is set: a cast to a protocol costs microseconds, and a commit would need
/// dozens of them.
struct DelegateAbilities: OptionSet {
  let rawValue: Int

  static let willChange = DelegateAbilities(rawValue: 1)
  static let sectionChange = DelegateAbilities(rawValue: 2)
  static let rowChange = DelegateAbilities(rawValue: 4)
  static let didChange = DelegateAbilities(rawValue: 8)
  static let batch = DelegateAbilities(rawValue: 16)
  static let snapshot = DelegateAbilities(rawValue: 32)
  static let difference = DelegateAbilities(rawValue: 64)

  init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// The abilities of a delegate, none of nobody.
  ///
  /// Any of them needs changes to be followed (rule 15).
  init<Row: ResultsRow>(of delegate: (any ResultsControllerDelegate<Row>)?) {
    self = []
    if delegate is any ResultsWillChangeDelegate<Row> { insert(.willChange) }
    if delegate is any ResultsSectionChangeDelegate<Row> { insert(.sectionChange) }
    if delegate is any ResultsRowChangeDelegate<Row> { insert(.rowChange) }
    if delegate is any ResultsDidChangeDelegate<Row> { insert(.didChange) }
    if delegate is any ResultsBatchDelegate<Row> { insert(.batch) }
    if delegate is any ResultsSnapshotDelegate<Row> { insert(.snapshot) }
    if delegate is any ResultsDifferenceDelegate<Row> { insert(.difference) }
  }
}
