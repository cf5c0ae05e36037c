import ResultsTestSupport
import SectionedResults

extension SectionedList {
  /// A list that shows what a controller shows.
  init(_ controller: any ResultsList<VectorRow>) {
    self.init(
      sections: zip(controller.sectionKeys, controller.sectionCounts).map {
        SectionedList.Section(key: $0, count: $1)
      }, generation: controller.generation)
  }
}

extension ResultsBatch {
  /// Whether the batch turns one list into another, in both ways a list may apply it.
  func applied(to old: ReferenceDiff<VectorRow>.Shown, giving new: ReferenceDiff<VectorRow>.Shown)
    -> Bool
  {
    [
      BatchApplier.simultaneously(self, old: old, new: new),
      BatchApplier.sequentially(self, old: old, new: new),
    ].allSatisfy { shown in
      shown.elementsEqual(new) { $0.key == $1.key && $0.rows == $1.rows }
    }
  }
}
