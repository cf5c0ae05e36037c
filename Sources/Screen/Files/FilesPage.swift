import Journal
import TextLayout

/// The files of an entry: a page to open them, to save them, and to copy their hashes.
package struct FilesPage: Equatable, Codable, Sendable {
  /// A file that the entry names.
  package struct File: Equatable, Codable, Sendable {
    /// The name in the text.
    package var name: String
    /// The kind and the size, or that the journal does not have it.
    package var details: String
    /// The beginning of its hash, as the text has it.
    package var target: String
    /// The whole hash; `nil` if the journal does not have the file.
    package var hash: String?
    /// The name of a copy on a disk.
    package var fileName: String

    package init(
      name: String, details: String, target: String, hash: String?, fileName: String
    ) {
      (self.name, self.details, self.target) = (name, details, target)
      (self.hash, self.fileName) = (hash, fileName)
    }
  }

  /// The entry's number.
  package var number: Int64
  /// The files in the order of the text.
  package private(set) var files: [File]
  /// The index of the selected file.
  package private(set) var selected = 0
  /// The first visible file.
  package private(set) var offset = 0

  package init(number: Int64, files: [File]) { (self.number, self.files) = (number, files) }

  /// The selected file; `nil` if the entry names none any more.
  package var file: File? { files.indices.contains(selected) ? files[selected] : nil }

  /// The newer page of the same entry; the selection stays at its file.
  fileprivate func updated(to page: FilesPage) -> FilesPage {
    var new = page
    let place = file.flatMap { file in page.files.firstIndex { $0.target == file.target } }
    (new.selected, new.offset) = (place ?? selected, offset)
    return new
  }

  /// A screen with fewer columns has the details of a file below its name.
  private static let leastColumns = 60

  /// The rows of each file.
  private static func rows(columns: Int) -> Int { columns < leastColumns ? 2 : 1 }

  /// How many files a screen shows.
  private func shown(in state: State) -> Int {
    let size = state.environment.size
    return max(1, state.layout.main.count / Self.rows(columns: size.columns))
  }
}

/// Events of the files of an entry.
package enum FilesEvent: Equatable, Codable, Sendable {
  /// The files of the requested entry, again after a commit.
  case opened(FilesPage)
}

extension State {
  mutating func updateFiles(_ event: FilesEvent) -> [Effect] {
    switch event {
    case .opened(let page): show(page)
    }
    return []
  }

  private mutating func show(_ page: FilesPage) {
    if case .files(let before) = pages.mode, before.number == page.number {
      open(before.updated(to: page))
    } else {
      open(page)
    }
  }

  /// Lists the files of the open or selected entry, or those of all marked entries.
  mutating func openFiles() -> [Effect] {
    if let targets, case .entries = targets { return [.command(.run(["files"], on: targets))] }
    guard let target else {
      status = .failed("no entry selected")
      return []
    }
    return [.read(.files(target))]
  }

  mutating func use(_ action: FileAction) -> [Effect] {
    if case .gallery(let page) = pages.mode, let picture = page.picture {
      return use(action, picture.place, of: picture.hash, named: picture.fileName)
    }
    guard case .files(let page) = pages.mode, let file = page.file else { return [] }
    guard let hash = file.hash else {
      status = .failed("\(file.name) is \(file.details)")
      return []
    }
    return use(action, page.selected + 1, of: hash, named: file.fileName)
  }

  private func use(
    _ action: FileAction, _ place: Int, of hash: String, named name: String
  ) -> [Effect] {
    switch action {
    case .save:
      [.prompt(.open(.command, text: "save-file \(place) \(PathWord.spelling(of: name))"))]
    case .copyHash: [.program(.copyHash(hash, of: name))]
    }
  }

  /// Attaches the picture of the clipboard to the open or selected entry.
  mutating func pastePicture() -> [Effect] {
    guard let target else {
      status = .failed("paste-picture: no entry selected")
      return []
    }
    return changing([.program(.pastePicture(target))])
  }

  /// Writes a file of the open or selected entry, by its place from 1; by default the one that is selected.
  mutating func saveFile(_ place: Int?, as path: String) -> [Effect] {
    guard let target else {
      status = .failed("save-file: no entry selected")
      return []
    }
    var words = ["file", "--output", path]
    guard let place = place ?? selectedFile else { return [.command(.run(words, on: target))] }
    // The file that had the place when the prompt opened: the text may have been edited since.
    if let files = prompt.subject?.files, files.indices.contains(place - 1) {
      return [.command(.run(words + [files[place - 1]], on: nil))]
    }
    words += ["--nth", "\(place)"]
    return [.command(.run(words, on: target))]
  }

  /// The address of the file that a page is about: the selected one, or on the page of files one by its place
  /// from 1.
  func chosenFile(_ place: Int?) -> String? {
    if case .gallery(let page) = pages.mode {
      return page.picture.map { FileLink.scheme + $0.hash }
    }
    guard case .files(let page) = pages.mode, let place, page.files.indices.contains(place - 1)
    else { return nil }
    return FileLink.scheme + page.files[place - 1].target
  }

  /// The place of the file that is selected on the page of files, or by Tab in the text that is read, from 1.
  private var selectedFile: Int? {
    if case .files(let page) = pages.mode { return page.selected + 1 }
    if case .gallery(let page) = pages.mode { return page.picture?.place }
    guard pages.mode == .reading, let pane = pane.reading, case .address(let link)? = pane.stop,
      link.isFile
    else { return nil }
    return FileLink.all(in: pane.entry.text)
      .firstIndex { FileLink.scheme + $0.target == link.address }.map { $0 + 1 }
  }
}

extension FilesPage: Page {
  package var mode: Mode { .files(self) }
  package var context: KeyContext { .files }
  var subject: PageSubject { .entry(number) }
  func isSame(as page: FilesPage) -> Bool { number == page.number }
  var refresh: [Effect] { [.read(.files(.entry(number)))] }

  package func title(in state: State) -> String? { "files of entry \(number)" }

  func position(in state: State) -> String? {
    files.isEmpty ? "none" : "\(selected + 1)/\(files.count)"
  }

  func emptyText(_ keys: KeyTable, in state: State) -> String? {
    files.isEmpty ? "Entry \(number) names no file. :attach FILE adds one." : nil
  }

  /// Scrolls as little as possible until the selected file is visible.
  mutating func layOut(in state: State) {
    let height = shown(in: state)
    selected = min(max(0, selected), max(0, files.count - 1))
    offset = min(max(offset, selected - height + 1), selected)
    offset = min(offset, max(0, files.count - height))
  }

  mutating func move(_ movement: Movement, count: Int?, in state: State) -> [Effect] {
    selected = movement.line(
      from: selected, of: files.count, height: shown(in: state), count: count)
    layOut(in: state)
    return []
  }

  /// Scrolls; the selected file stays visible.
  mutating func scroll(by lines: Int, in state: State) -> [Effect] {
    let height = shown(in: state)
    offset = min(max(0, offset + lines), max(0, files.count - height))
    selected = min(max(selected, offset), offset + height - 1)
    layOut(in: state)
    return []
  }

  mutating func click(column: Int, line: Int, in state: State) -> Click {
    let clicked = offset + line / Self.rows(columns: state.environment.size.columns)
    guard files.indices.contains(clicked) else { return .nothing }
    if clicked == selected { return .chosen }
    selected = clicked
    layOut(in: state)
    return .selected([])
  }

  /// Opens the selected file in the system's viewer; the page stays.
  func choose(in state: inout State) -> [Effect]? {
    file.map { [.program(.openLink(FileLink.scheme + $0.target))] } ?? []
  }

  func spokenPlace(in state: State) -> String? {
    file.map { "\(selected + 1) of \(files.count): \(Spoken.list([$0.name, $0.details]))" }
      ?? "none"
  }

  func spokenIdentity(in state: State) -> String { "files \(number)" }

  func spokenLines(in state: State) -> [String] {
    files.enumerated().map { "\($0 + 1): \(Spoken.list([$1.name, $1.details]))" }
  }

  /// Draws a line for each file, or two: its number, its name, and what is known of it.
  func draw(_ state: State, in rect: CanvasRect, on canvas: inout Canvas) {
    let isWide = rect.width >= Self.leastColumns
    let digits = String(files.count).utf8.count
    let margin = 2 + digits + 2
    let widest = files.map { TextWidth.columns(of: $0.name) }.max() ?? 0
    let room = max(1, rect.width - margin)
    let names = isWide ? min(widest, room * 2 / 3) : room
    var row = rect.row
    for index in offset..<max(offset, files.count) where row < rect.row + rect.height {
      let (file, isChosen) = (files[index], index == selected)
      let height = min(Self.rows(columns: rect.width), rect.row + rect.height - row)
      let style = isChosen ? Style(.selected, reverse: true) : Style()
      let quiet = isChosen ? style : Style(file.hash == nil ? .error : .hint, dim: file.hash != nil)
      if isChosen {
        let lines = CanvasRect(column: rect.column, row: row, width: rect.width, height: height)
        canvas.fill(lines, style: style)
        canvas.draw("›", at: rect.column, row: row, width: rect.width, style: style)
      }
      let number = String(index + 1)
      canvas.draw(
        number, at: rect.column + 2 + digits - number.utf8.count, row: row,
        width: max(0, rect.width - 2), style: quiet)
      let column = rect.column + margin
      canvas.draw(TextFit.cut(file.name, columns: names), at: column, row: row, style: style)
      let details = isWide ? column + names + 2 : column
      let left = rect.column + rect.width - details
      if left > 0, isWide || height > 1 {
        canvas.draw(
          TextFit.cut(file.details, columns: left), at: details, row: isWide ? row : row + 1,
          width: left, style: quiet)
      }
      row += height
    }
  }
}
