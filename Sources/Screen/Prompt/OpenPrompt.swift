import Journal
import TextLayout

/// The prompt at the foot of the screen, as plain values; readline edits the text elsewhere.
package struct OpenPrompt: Equatable, Sendable {
  /// Its purpose.
  package var kind: PromptPurpose
  /// The label before the text; it changes while a history is searched.
  package var label: String { didSet { layout = nil } }
  /// The text that the prompt opened with, which nobody typed.
  package var initial: String
  /// The text typed so far.
  package var text: String { didSet { layout = nil } }
  /// The cursor, in UTF-8 bytes of the text.
  package var point: Int { didSet { layout = nil } }
  /// How many lines label and text take at the present width.
  package var lines: Int
  /// Whether it fills the screen; else it takes half of it at most.
  package var isFull = false { didSet { layout = nil } }
  /// The current values of the entries to change, shown above the prompt: their tags, their date.
  package var present: [String]
  /// The number of characters changed since the text was last saved as a draft.
  package var unsaved: Int
  /// Which of the prompt's texts this is: the drafts that Up recalls, oldest first, then its own.
  package var index: Int
  /// How many texts there are.
  package var count: Int
  /// Whether the text could not be kept as a draft the last time.
  package var isUnkept = false
  /// The layout of label and text, for ``lines`` and for drawing; `nil` after a change, until the prompt
  /// is measured again.
  package internal(set) var layout: PromptLayout?

  /// The layout is not compared: it is derived from the other properties and the size of the screen.
  package static func == (a: OpenPrompt, b: OpenPrompt) -> Bool {
    a.kind == b.kind && a.label == b.label && a.initial == b.initial && a.text == b.text
      && a.point == b.point && a.lines == b.lines && a.present == b.present
      && a.unsaved == b.unsaved && a.index == b.index && a.count == b.count
      && a.isUnkept == b.isUnkept && a.isFull == b.isFull
  }

  /// Whether the text is the user's writing that the journal does not have.
  package var isWriting: Bool {
    if case .question(let form) = kind { return !form.text(answering: text).isBlank }
    return kind.keepsDrafts && !text.isBlank && !(isOwn && text.utf8.elementsEqual(initial.utf8))
  }

  /// Whether it is the prompt's own text, as opposed to a recalled draft.
  package var isOwn: Bool { index == count - 1 }

  /// The effects that save the text; a recalled draft that was emptied stays as it was until Enter.
  var keeping: [Effect] {
    // The answers to all questions are one draft.
    if case .question(let form) = kind, isWriting {
      return [.prompt(.saveDraft(kind, form.text(answering: text), at: index))]
    }
    if isWriting { return [.prompt(.saveDraft(kind, text, at: index))] }
    return isOwn ? [.prompt(.discardDraft(kind))] : []
  }

  /// Makes an empty prompt, or one with an initial text.
  ///
  /// - Parameter isUnsaved: whether the journal does not have that text.
  package init(
    kind: PromptPurpose, text: String = "", present: [String] = [], isUnsaved: Bool = false,
    index: Int = 0, count: Int = 1
  ) {
    self.kind = kind
    self.label = kind.label
    self.initial = isUnsaved ? "" : text
    self.text = text
    self.point = text.utf8.count
    self.lines = 1
    self.present = present
    self.unsaved = 0
    self.index = index
    self.count = count
  }
}
