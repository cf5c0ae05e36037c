// SPDX-License-Identifier: MIT

/// The contents of a sectioned list, independent of their source.
///
/// A controller conforms, and so can any type that counts sections and rows and returns the object at
/// a path.
public protocol SectionedDataSource<Object> {
  /// The object at a path.
  associatedtype Object

  /// The number of sections.
  var numberOfSections: Int { get }

  /// The number of rows in a section.
  func numberOfRows(inSection section: Int) -> Int

  /// The object at a path.
  ///
  /// - Throws: when it does not exist or cannot be read.
  func object(at path: RowPath) throws -> Object
}

extension ResultsController: SectionedDataSource {}
