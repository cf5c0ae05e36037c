/// What a list asks for its contents, whatever stands behind it.
///
/// A controller is one; so is anything that can count sections and rows and give the item at a path.
public protocol SectionedDataSource<Item> {
  /// What stands at a path.
  associatedtype Item

  /// How many sections there are.
  var sectionCount: Int { get }

  /// How many items a section has.
  func itemCount(inSection section: Int) -> Int

  /// The item at a path.
  ///
  /// - Throws: when there is none or it cannot be read.
  func item(at path: RowPath) throws -> Item
}

extension ResultsController: SectionedDataSource {
  /// How many sections are shown; 0 before a fetch.
  public var sectionCount: Int { numberOfSections ?? 0 }

  /// How many rows a section shows.
  public func itemCount(inSection section: Int) -> Int { numberOfRows(inSection: section) }

  /// The row at a path.
  ///
  /// - Throws: what ``object(at:)`` throws.
  public func item(at path: RowPath) throws -> Row { try object(at: path) }
}
