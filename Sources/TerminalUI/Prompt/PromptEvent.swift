/// What a key did to the prompt.
public enum PromptEvent: Hashable, Sendable {
  /// The line, the cursor or the label is not what it was; draw it again.
  case changed

  /// Enter: the prompt has ended with this text.
  case accepted(String)

  /// Esc, ^C, or ^D on an empty line: the prompt has ended; ``ReadlinePrompt/draft`` keeps what
  /// was typed.
  case cancelled

  /// ^X^E: the prompt has ended, and this text is to be edited in `$EDITOR`.
  case externalEditor(String)

  /// Tab found several ways to go on; they are to be shown beside the prompt.
  case completions([String])
}
