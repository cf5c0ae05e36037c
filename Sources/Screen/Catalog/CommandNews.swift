import TextLayout

/// The result of a shell command that ran on the screen.
package struct CommandNews: Equatable, Codable, Sendable {
  /// The words of the command line.
  package var words: [String]
  /// Its output and errors.
  package var lines: [String] = []
  /// The roles of lines that are not plain text, by index.
  package var roles: [Int: Style.Role] = [:]
  /// Its result, in words for a person.
  package var news: String?
  /// The reason that it failed wholly or in part; empty where the lines contain it.
  package var failure: String?
  /// The action of Enter on a page of lines that are a preview.
  package var proposal: Effect?
  /// Whether the line could not be parsed.
  package var isUsageError = false

  package init(_ words: [String]) {
    self.words = words
  }
}

/// News of commands.
package enum CommandEvent: Equatable, Codable, Sendable {
  /// A command ended.
  case finished(CommandNews)
}

extension State {
  mutating func updateCommand(_ event: CommandEvent) -> [Effect] {
    switch event {
    case .finished(let news):
      show(news)
      // A path is mended as a line that cannot be parsed is.
      let isMended = news.isUsageError || news.failure != nil && news.words.first == "file"
      if isMended, news.lines.isEmpty, let line = commands.line {
        return [.prompt(.reopen(.command, text: line))]
      }
      let opensPrompt =
        prompt.reopens && pages.mode == .list && prompt.open == nil && questions.question == nil
      return trashCount() + (opensPrompt ? [.prompt(.open(.newEntry))] : [])
    }
  }

  /// Shows the result of a command: one line in the status line, several on a page with a heading.
  private mutating func show(_ news: CommandNews) {
    let name = news.words.first ?? ""
    let failure = news.failure.flatMap { $0.isEmpty ? nil : $0 }
    let lines = news.lines + [news.news, failure].compactMap(\.self)
    let heading = ":" + (commands.line ?? news.words.joined(separator: " "))
    if lines.count > 1 || news.proposal != nil {
      let title =
        news.failure == nil ? heading : news.news ?? "\(name): incomplete"
      // The title names the command, unless it says what went wrong.
      let head = title == heading ? nil : heading
      var page =
        name == "import"
        ? OutputPage(title: title, heading: head, messages: lines)
        : OutputPage(title: title, heading: head, lines: lines, roles: news.roles)
      if name == "changes" || news.words.contains("--field") {
        page.request = .command(.refresh(news.words))
      }
      page.proposal = news.proposal
      return open(page)
    }
    if news.failure == nil {
      let nothing = ["list", "export"].contains(name) ? "no entries match" : "\(name): done"
      status = .done(lines.first ?? nothing)
      list.unseen = nil
    } else {
      fail(lines.first ?? "\(name): not done")
    }
  }
}
