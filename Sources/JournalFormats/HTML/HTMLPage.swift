/// The parts of the page that are the same for every journal.
enum HTMLPage {
  /// What stands before the first day.
  static let head = """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="referrer" content="no-referrer">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
    style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
    <meta name="generator" content="Daybook">
    <title>Journal</title>
    <style>
    \(style)
    </style>
    </head>
    <body>
    <header class="page">
    <h1>Journal</h1>
    <div id="tools" hidden>
    <input id="query" type="search" placeholder="Search" aria-label="Search entries" \
    autocomplete="off" spellcheck="false">
    <select id="month" aria-label="Go to month"></select>
    </div>
    <p id="found" role="status"></p>
    </header>
    <main lang="">

    """

  /// What stands behind the last day.
  static func tail(_ entries: String) -> String {
    """
    </main>
    <footer class="page">\(entries)</footer>
    <script>
    \(script)
    </script>
    </body>
    </html>

    """
  }
}
