import SectionedResults

// The example of the article for users of NSFetchedResultsController. A test checks that the article
// contains the lines between the markers unchanged, and the stress tests keep a list with it.

// classic:begin
final class ClassicDelegate<Row: ResultsRow>: ResultsWillChangeDelegate, ResultsRowChangeDelegate,
  ResultsDidChangeDelegate, ResultsErrorDelegate
{
  private(set) var list = SectionedList()
  private(set) var error: (any Error)?

  func controllerWillChangeContent(_ controller: any ResultsList<Row>) {
    list.beginUpdates()
  }

  func controller(
    _ controller: any ResultsList<Row>, didChangeSection change: ResultsBatch.SectionChange
  ) throws {
    switch change {
    case .insert(let section): try list.insertSections([section])
    case .delete(let section): try list.deleteSections([section])
    }
  }

  func controller(
    _ controller: any ResultsList<Row>, didChangeRow change: ResultsRowChange<Row>
  ) throws {
    switch change.kind {
    case .insert(let new): try list.insertRows([new])
    case .delete(let old): try list.deleteRows([old])
    case .update(let old, _): try list.reloadRows([old])
    case .move(let old, let new): try list.moveRow(at: old, to: new)
    }
  }

  func controllerDidChangeContent(_ controller: any ResultsList<Row>) throws {
    try list.endUpdates(counts: controller.sectionCounts, generation: controller.generation) {
      controller.sectionKeys[$0]
    }
  }

  func controller(_ controller: any ResultsList<Row>, didFailWith error: any Error) {
    self.error = error
  }

  func controllerNeedsReload(_ controller: any ResultsList<Row>) {
    list.reload(from: controller)
  }
}
// classic:end
