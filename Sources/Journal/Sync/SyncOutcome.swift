/// How a synchronisation ended, with words for the user.
package enum SyncOutcome: Hashable, Codable, Sendable {
  /// Both sides are equal; the words give what was sent and received.
  case done(String)
  /// Nothing more was sent or received; the words give the reason.
  case failed(String)
  /// The user cancelled it.
  case cancelled

  package var isFailure: Bool { if case .failed = self { true } else { false } }

  /// The outcome in one line, as a journal records it: `failed: no space left`.
  package var text: String {
    switch self {
    case .done(let summary): summary
    case .failed(let reason): Self.failure + reason
    case .cancelled: Self.cancellation
    }
  }

  /// Reads the line of a journal, which earlier versions wrote, too.
  package init(_ text: String) {
    if text.hasPrefix(Self.failure) {
      self = .failed(String(text.dropFirst(Self.failure.count)))
    } else {
      self = text == Self.cancellation ? .cancelled : .done(text)
    }
  }

  private static let (failure, cancellation) = ("failed: ", "cancelled")
}
