import Journal

/// Looks for all that is wrong inside a JSON journal.
struct JSONExamination {
  private let file: JournalFile
  private let place: String

  init(_ file: JournalFile, _ place: String) {
    self.file = file
    self.place = place
  }

  /// - Throws: ``StoreError`` when the file cannot be read, or is not of this program.
  func run() throws -> Examination {
    let bytes = try WholeFile.readJSON(file.path, place: place)
    do {
      let document = try JSONDocument(bytes, place: place)
      let live = document.items.count { $0.entry.deleted == nil }
      return Examination(findings: JSONExamination.findings(document), entries: live)
    } catch let error as StoreError where [.notAJournal, .damaged].contains(error.kind) {
      var text = error.explanation
      if text.hasSuffix(StoreError.seeDoctor) { text.removeLast(StoreError.seeDoctor.count) }
      return Examination(findings: [Finding(text, .salvage)], entries: nil)
    }
  }

  /// What another program changed is taken in, as one step that undo takes back.
  static func findings(_ document: JSONDocument) -> [Finding] {
    document.items.filter { $0.isChecked && !$0.isIntact }.map {
      Finding("entry \($0.entry.number): it is not what was stored", .mending)
    }
  }
}
