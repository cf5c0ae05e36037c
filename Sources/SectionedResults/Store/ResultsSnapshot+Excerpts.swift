// Looking into a long group without reading it whole: an ability that a store may leave out.

extension ResultsSnapshot {
  /// Without a better answer groups are read whole.
  public var excerptSize: Int? { nil }

  /// Without a better answer all keys are read, and those beyond the limit are dropped.
  public func keys(
    of request: FetchRequest<Row>, in range: KeyRange, limit: Int
  ) throws -> [RowKey<Row.ID>]? {
    Array(try keys(of: request, in: range).prefix(limit))
  }

  /// Without a better answer all keys are read and counted.
  public func count(of request: FetchRequest<Row>, in range: KeyRange) throws -> Int {
    try keys(of: request, in: range).count
  }
}
