// The example of the article on concurrency. A test checks that the article contains the lines between the
// markers unchanged.

import Observation
import SectionedResults

// model:begin
@MainActor final class NotesPage {
  private let model: ResultsModel<Note>
  private(set) var lines: [String] = []

  init(store: any ResultsStore<Note>) throws {
    model = try ResultsModel(
      request: ResultsRequest(sortKeys: [SortKey(.day), SortKey(.minute)], sectionField: .day),
      store: store)
    model.fetch()
    draw()
  }

  private func draw() {
    withObservationTracking {
      lines = model.sections.enumerated().flatMap { index, section in
        [section.key] + model.rows(inSection: index).map { "  \($0.text)" }
      }
    } onChange: {
      Task { @MainActor [weak self] in self?.draw() }
    }
  }
}
// model:end
