/// A template whose questions are asked one after the other: its lines that begin with `? `.
///
/// The answers become the text of an entry. A question is a line of its own above its answer; one that
/// ends in `::`, the name of a field, is one line with it. A question without an answer is left out:
///
/// ```
/// ? What went well        What went well
/// ? mood::           →    the soup
/// ? What did not          mood:: 4
/// ```
package struct Form: Hashable, Codable, Sendable {
  /// A part of the template, in order.
  private enum Part: Hashable, Codable, Sendable {
    /// A line that stays as it is.
    case line(String)
    case question(String)
  }

  private var parts: [Part]
  /// The questions, without their marks.
  package let questions: [String]
  /// The answers so far; empty for none.
  package private(set) var answers: [String]
  /// The index of the question that is asked.
  package private(set) var index = 0
  /// Whether a question of it was asked before, so that it goes on.
  package private(set) var isBegun = false

  /// Finds the questions in a template whose placeholders are replaced; `nil` if it has none.
  package init?(_ text: String) {
    parts = Self.lines(of: text).map { line in
      Self.question(line).map(Part.question) ?? .line(line)
    }
    questions = parts.compactMap { if case .question(let question) = $0 { question } else { nil } }
    answers = questions.map { _ in "" }
    if questions.isEmpty { return nil }
  }

  fileprivate static func lines(of text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The question of a line; `nil` if it has none.
  fileprivate static func question(_ line: String) -> String? {
    guard line.utf8.starts(with: "? ".utf8) else { return nil }
    let question = trimmed(String(line.dropFirst(2)))
    return question.isEmpty ? nil : question
  }

  /// A text without the white space at its ends.
  private static func trimmed(_ text: String) -> String {
    let start = text.drop { $0.isWhitespace }
    let end = start.reversed().drop { $0.isWhitespace }
    return String(end.reversed())
  }

  // MARK: Asking

  /// The question: `2/3 What went well: `.
  package var label: String {
    let question = questions[index]
    let place = questions.count > 1 ? "\(index + 1)/\(questions.count) " : ""
    let isOpen = question.last.map { $0.isLetter || $0.isNumber } ?? true
    return "\(place)\(question)\(isOpen ? ": " : " ")"
  }

  /// The answer to the present question.
  package var answer: String { answers[index] }

  /// Whether the present question is the last one.
  package var isLast: Bool { index == questions.count - 1 }

  /// Takes the answer to the present question.
  package mutating func take(_ answer: String) {
    answers[index] = answer
    isBegun = true
  }

  /// Goes to another question.
  ///
  /// - Returns: whether there is one.
  package mutating func go(by step: Int) -> Bool {
    guard questions.indices.contains(index + step) else { return false }
    index += step
    return true
  }

  // MARK: The text

  /// The text of the entry with the answers so far; empty without an answer.
  package var text: String { text(answers) }

  /// The same with a text as the answer to the present question.
  package func text(answering answer: String) -> String {
    var all = answers
    all[index] = answer
    return text(all)
  }

  private func text(_ answers: [String]) -> String {
    guard answers.contains(where: { !$0.allSatisfy(\.isWhitespace) }) else { return "" }
    var lines: [String] = []
    var (number, isLeftOut) = (0, false)
    for part in parts {
      switch part {
      case .line(let line):
        // A question that is left out takes the empty line below it along.
        let isSecondGap = isLeftOut && line.isEmpty && lines.last?.isEmpty ?? true
        isLeftOut = isLeftOut && isSecondGap
        if !isSecondGap { lines.append(line) }
      case .question(let question):
        let answer = Self.trimmed(answers[number])
        number += 1
        isLeftOut = answer.isEmpty
        if isLeftOut { continue }
        lines += question.hasSuffix("::") ? ["\(question) \(answer)"] : [question, answer]
      }
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines.joined(separator: "\n")
  }
}

extension FilledTemplate {
  /// The template with its questions as plain lines, for an editor, or where a text is given.
  package var withoutMarks: FilledTemplate {
    var plain = self
    var (start, lines) = (0, [String]())
    for line in Form.lines(of: text) {
      let kept = Form.question(line) ?? line
      let removed = line.utf8.count - kept.utf8.count
      // Inside the mark, the cursor goes to the question.
      if let cursor, cursor > start, removed > 0 {
        plain.move(cursorBy: -min(removed, cursor - start))
      }
      start += line.utf8.count + 1
      lines.append(kept)
    }
    plain.replace(text: lines.joined(separator: "\n"))
    return plain
  }
}
