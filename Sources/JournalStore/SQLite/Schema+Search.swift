extension Schema {
  /// The index of words, and which folding its words were made by.
  ///
  /// The table keeps no texts (`content=''`) and no lengths. Its words are separated by spaces and made
  /// of ASCII letters and digits in lower case, `_`, and characters beyond ASCII: the `ascii` tokenizer
  /// leaves such words as they are.
  static let searchTables = [
    """
    CREATE VIRTUAL TABLE entry_word USING fts5 (
      words, content='', columnsize=0, tokenize="ascii tokenchars '_'"
    )
    """,
    "CREATE TABLE search_state (id INTEGER PRIMARY KEY CHECK (id = 1), folding INTEGER NOT NULL)",
  ]

  /// The tables in which FTS5 keeps the index; how they are declared is its own affair.
  static let shadowTables: Set<String> = ["entry_word_data", "entry_word_idx", "entry_word_config"]
}
