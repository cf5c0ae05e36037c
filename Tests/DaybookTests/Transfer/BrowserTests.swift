import Foundation
import Testing

/// Exported pages and drawings in a browser, run if `BROWSER` names a Chromium; it is then a failure
/// if there is none.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["BROWSER"] != nil), .waiting, .serialized)
struct BrowserTests {
  /// Texts that would run a script, load a file, or change the page, if they were not escaped.
  private static let hostile = [
    """
    Pötato SOUP <script>window.owned=1</script> #home

    <img src=http://tracker.invalid/i.png onerror="window.owned=2"> ![x](http://tracker.invalid/p.png)

    [a](javascript:window.owned=3) [b](JaVaScRiPt:window.owned=3) [c](data:text/html,<script>1</script>)
    <javascript:window.owned=4> [d](vbscript:x) [ok](https://example.org/)
    """,
    """
    #a"onmouseover="window.owned=5 #b{background:url(http://tracker.invalid/b)} \
    </style><style>*{display:none}</style>

    ```html
    </code><script>window.owned=6</script>
    ```

    | a | <b onload=x> |
    | - | - |
    | </td><iframe src=http://tracker.invalid/> | "><svg onload=window.owned=7> |
    """,
    """
    </section></main><input id=query><link rel=stylesheet href=http://tracker.invalid/s.css>
    <base href=http://tracker.invalid/> --> ]]> <form action=http://tracker.invalid/>
    """,
    "A walk along the river #walk",
  ]

  private let program: Program
  private let browser: Browser

  init() throws {
    program = try Program()
    browser = try Browser(home: program.home)
    for text in Self.hostile {
      #expect(try program.run(["add", "-"], input: Array(text.utf8)).code == 0)
    }
  }

  @Test("an exported page runs no script of an entry, loads nothing, and has only safe links")
  func inert() throws {
    let report = try browser.report(
      of: try page(),
      """
      document.querySelectorAll(".tag").forEach((tag) => tag.click());
      const all = Array.from(document.querySelectorAll("*"));
      return {
        owned: String(window.owned),
        names: Array.from(new Set(all.map((one) => one.localName))).sort(),
        handlers: all.filter((one) => one.getAttributeNames().some((name) => name.startsWith("on"))).length,
        queries: document.querySelectorAll("[id=query]").length,
        scripts: document.scripts.length, sheets: document.styleSheets.length,
        protocols: Array.from(new Set(Array.from(document.links, (one) => one.protocol))).sort(),
        loaded: performance.getEntriesByType("resource").length,
        articles: document.querySelectorAll("main > section > article").length,
        text: document.querySelector("main").textContent,
      };
      """)
    #expect(report["owned"] as? String == "undefined")
    #expect(report["handlers"] as? Int == 0)
    #expect(report["queries"] as? Int == 1)
    // The page's own, and the test's.
    #expect(report["scripts"] as? Int == 2)
    #expect(report["sheets"] as? Int == 1)
    #expect(report["loaded"] as? Int == 0)
    #expect(report["articles"] as? Int == Self.hostile.count)
    #expect(report["protocols"] as? [String] == ["http:", "https:"])
    let names = Set(report["names"] as? [String] ?? [])
    let unsafe: Set<String> = ["img", "iframe", "link", "base", "svg", "form", "object", "embed"]
    #expect(names.contains("article") && names.isDisjoint(with: unsafe), "\(names)")
    let text = try #require(report["text"] as? String)
    #expect(text.contains("<script>window.owned=1</script>"))
    #expect(text.contains("</td><iframe src=http://tracker.invalid/>"))
    #expect(try !browser.hasRequested("tracker.invalid"))
  }

  @Test("the log of requests, by which pages are judged, names a file that a page loads")
  func control() throws {
    let page = program.home.appending(path: "control.html")
    try "<body><img src=http://tracker.invalid/i.png></body>".write(
      to: page, atomically: true, encoding: .utf8)
    _ = try browser.report(of: page, "return {};")
    #expect(try browser.hasRequested("tracker.invalid"))
  }

  @Test(
    "the search of an exported page finds words without case and accents, phrases, tags, and not -words"
  )
  func search() throws {
    let report = try browser.report(
      of: try page(),
      """
      const query = document.getElementById("query");
      const result = {};
      for (const words of ["potato soup", '"the river"', "-soup -river", "#walk", "nosuch", ""]) {
        query.value = words;
        query.dispatchEvent(new Event("input"));
        await new Promise((done) => setTimeout(done, 200));
        result[words] = [
          document.querySelectorAll("article:not([hidden])").length,
          document.getElementById("found").textContent,
        ].join(" | ");
      }
      Array.from(document.querySelectorAll(".tag")).find((tag) => tag.textContent === "#walk").click();
      result.click = query.value + " | " + document.getElementById("found").textContent;
      return result;
      """)
    #expect(
      report as? [String: String] == [
        "potato soup": "1 | 1 of 4", "\"the river\"": "1 | 1 of 4", "-soup -river": "2 | 2 of 4",
        "#walk": "1 | 1 of 4", "nosuch": "0 | Nothing found", "": "4 | ", "click": "#walk | 1 of 4",
      ])
  }

  @Test("pages and statistics are dark on a dark desktop, light on a light one; a query is text")
  func schemes() throws {
    let drawing = program.home.appending(path: "stats.svg")
    let drawn = try program.run([
      "stats", "walk OR \"</text><script>window.owned=1</script>\"", "--format", "svg",
    ])
    #expect(drawn.code == 0)
    try drawn.output.write(to: drawing, atomically: true, encoding: .utf8)
    for isDark in [true, false] {
      let page = try browser.report(
        of: try page(), isDark: isDark,
        """
        const style = getComputedStyle(document.body);
        return { back: style.backgroundColor, front: style.color };
        """)
      let statistics = try browser.report(
        of: drawing, isDark: isDark,
        """
        return {
          back: getComputedStyle(document.querySelector(".ground")).fill,
          front: getComputedStyle(document.querySelector(".title")).fill,
          loaded: String(performance.getEntriesByType("resource").length),
          owned: String(window.owned),
          title: document.querySelector(".title").textContent,
        };
        """)
      #expect(statistics["loaded"] as? String == "0")
      #expect(statistics["owned"] as? String == "undefined")
      #expect((statistics["title"] as? String)?.contains("<script>window.owned=1</script>") == true)
      for report in [page, statistics] {
        let back = try Self.brightness(report["back"])
        let front = try Self.brightness(report["front"])
        #expect(isDark ? back < 0.2 && front > 0.7 : back > 0.9 && front < 0.3, "\(report)")
      }
    }
  }

  @Test("the animation of the README moves in a browser: at each time it shows that time's frame")
  func animation() throws {
    let file = Repository.root.appending(path: "Resources/pictures/tour-dark.svg")
    let steps = try AnimationFile(file.path).steps
    let report = try browser.report(
      of: file,
      """
      const frames = document.querySelector(".frames");
      const [animation] = frames.getAnimations();
      animation.pause();
      return { tops: \(steps.map { $0.time * 1000 + 20 }).map((time) => {
        animation.currentTime = time;
        return -new DOMMatrix(getComputedStyle(frames).transform).f;
      }) };
      """)
    #expect(report["tops"] as? [Int] == steps.map(\.top))
  }

  private func page() throws -> URL {
    let page = program.home.appending(path: "journal.html")
    #expect(try program.run(["export", "-o", page.path, "--force"]).code == 0)
    return page
  }

  /// The mean of red, green and blue of `rgb(…)`, from 0 to 1.
  private static func brightness(_ color: Any?) throws -> Double {
    let text = try #require(color as? String)
    let values = text.matches(of: /\d+/).compactMap { Double($0.output) }
    try #require(values.count == 3, "\(text)")
    return values.reduce(0, +) / 3 / 255
  }
}

/// A browser without a window.
private struct Browser {
  private let path: String
  private let home: URL
  private var log: URL { home.appending(path: "requests.json") }

  init(home: URL) throws {
    let name = try #require(ProcessInfo.processInfo.environment["BROWSER"])
    let places = name.contains("/") ? [name] : ["/usr/bin/\(name)", "/usr/local/bin/\(name)"]
    path = try #require(
      places.first { FileManager.default.isExecutableFile(atPath: $0) },
      "BROWSER=\(name): no such program")
    self.home = home
  }

  /// Opens a copy of a file with a script of the test, and returns the object that the script returns.
  func report(of file: URL, isDark: Bool = false, _ script: String) throws -> [String: Any] {
    let probe = """
      <script><![CDATA[
      (async () => { \(script) })().catch((error) => ({ error: String(error) })).then((report) => {
        document.documentElement.setAttribute("data-report", encodeURIComponent(JSON.stringify(report)));
      });
      ]]></script>
      """
    let isPage = file.pathExtension == "html"
    let end = isPage ? "</body>" : "</svg>"
    let text = try String(contentsOf: file, encoding: .utf8)
    let tail = try #require(text.range(of: end, options: .backwards))
    let shown = home.appending(path: "shown.\(file.pathExtension)")
    let plain = probe.replacing("<![CDATA[", with: "").replacing("]]>", with: "")
    try text.replacingCharacters(in: tail, with: (isPage ? plain : probe) + end).write(
      to: shown, atomically: true, encoding: .utf8)
    var arguments = [
      "--headless", "--disable-gpu", "--disable-background-networking", "--no-first-run",
      "--user-data-dir=\(home.path)/browser", "--log-net-log=\(log.path)",
      "--blink-settings=preferredColorScheme=\(isDark ? 0 : 1)", "--virtual-time-budget=10000",
      "--dump-dom", shown.absoluteString,
    ]
    // The browser refuses its sandbox to root.
    if geteuid() == 0 { arguments.insert("--no-sandbox", at: 0) }
    let output = home.appending(path: "dom")
    let code = try ChildProcess.run(
      path, arguments,
      environment: ["HOME": home.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"],
      input: "/dev/null", output: output.path, errors: home.appending(path: "errors").path)
    try #require(code == 0, "\(path) ended with \(code)")
    let dom = try String(contentsOf: output, encoding: .utf8)
    let report = try #require(dom.firstMatch(of: /data-report="([^"]*)"/), "\(dom.suffix(500))")
    let json = try #require(String(report.1).removingPercentEncoding)
    return try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any], "\(json)")
  }

  /// Whether the last page requested anything from a host.
  func hasRequested(_ host: String) throws -> Bool {
    let text = try String(contentsOf: log, encoding: .utf8)
    try #require(text.contains("\"events\""))
    return text.contains("\"http://\(host)/")
  }
}
