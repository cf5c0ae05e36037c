/// What the manual says besides commands and keys.
enum StaticText {
  static let description = """
    Daybook keeps a journal: entries sectioned by day, shown in a full-screen list that changes the \
    moment any process writes, and written in a prompt. Without a command it opens the screen; ? \
    shows its keys there. When standard input is not a terminal its bytes are keys; when standard \
    output is none the final screen is printed as text.

    An entry has a number, by which people name it, a permanent uuid, a day, and a text, in which \
    #tags and @names stand. What a command changes is one step that undo takes back, whichever \
    process made it. Data go to standard output, one-line messages to standard error.
    """

  static let queries = """
    The same language is understood by list, watch and export, behind --where and --filter, and on \
    the screen by / and f. While one types on the screen, the last word may be the beginning of one.
    """

  static let terms = [
    ("bread", "The word anywhere in the text, without case and accents."),
    ("bre*", "Words that begin so."),
    ("\"whole grain bread\"", "The words in a row."),
    ("#work, @anna", "The tag, with its children such as #work/api."),
    ("is:starred, is:untagged, is:edited, is:deleted", "What it says; the trash only so."),
    (
      "since:2026-11, until:yesterday, on:2026-11-21, on:*-11-21",
      "From a date on, up to it, on it, and on this day of every year."
    ),
    ("words:>200, id:42", "The length in words, and the entry of that number."),
    ("a b, a OR b, -a, (a b) OR c", "Both, one of them, not, and grouped."),
  ]

  static let dates = """
    2026-11-21, 2026-11-21 09:15, 2026-11-21T09:15:00+01:00, 09:15, today, yesterday, monday (the \
    latest one, today included), 3d, 2w, 6m and 1y ago, 2026-11, 2026. A date without a time takes \
    the present clock time. What is written at half past one belongs to the day before, unless \
    day_ends_at of the configuration says otherwise. An ambiguous date such as 03/04/2026 is refused.
    """

  static let keys = """
    All can be changed under [keys] of config.toml; daybook config keys prints them in that form. In \
    the prompt the rules are those of readline(3) and of ~/.inputrc; Alt-Enter makes a new line.
    """

  static let files = [
    ("$XDG_DATA_HOME/daybook/journal.sqlite", "The journal; usually in ~/.local/share."),
    ("$XDG_CONFIG_HOME/daybook/config.toml", "The configuration; usually in ~/.config."),
    (
      "$XDG_STATE_HOME/daybook/drafts/",
      "Text that was typed and not saved; usually in ~/.local/state."
    ),
    ("$XDG_STATE_HOME/daybook/history", "The commands typed after : on the screen."),
    (
      "FILE-journal, FILE.lock",
      "Beside an SQLite and a JSON journal: what a writer needs. Leave them alone."
    ),
  ]

  static let environment = [
    ("DAYBOOK_JOURNAL", "The journal to use where --journal is not given."),
    ("XDG_DATA_HOME, XDG_CONFIG_HOME, XDG_STATE_HOME", "Where the files above are."),
    ("VISUAL, EDITOR", "The editor for longer texts, where config.toml names none."),
    ("NO_COLOR", "Any value leaves only bold, dim, underline and reverse."),
    ("LC_ALL, LC_TIME, LANG", "Names of months and weekdays, and how text is encoded."),
    ("TZ", "The time zone new entries are written in."),
    ("LINES, COLUMNS", "The size of the screen that is printed without a terminal."),
    ("INPUTRC", "The configuration of readline."),
  ]

  static let exitStatus = [
    ("0", "Done."), ("1", "Not done, nothing changed: nothing found, nothing to save."),
    ("64", "Wrong usage."), ("65", "Bad data; something is wrong with the journal."),
    ("66", "What should be read does not exist."), ("69", "No usable terminal."),
    ("73", "It cannot be created."), ("74", "Reading or writing failed, or the disk is full."),
    ("75", "Another program holds the journal; try again."), ("77", "Not permitted."),
    ("78", "The journal or the configuration is not usable."), ("128+n", "Ended by signal n."),
  ]
}
