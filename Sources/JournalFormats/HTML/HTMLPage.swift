/// The parts of the page that are the same for every journal.
enum HTMLPage {
  /// The page before the first day.
  static let head = """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="referrer" content="no-referrer">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
    img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
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

  /// The page after the last day.
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

extension HTMLPage {
  /// The style: a column of text on paper, with times in its margin if there is room.
  static let style = """
    :root {
      --paper: #fbfaf7; --ink: #2c2b28; --faint: #6f6b63; --line: #e4e0d8; --accent: #2f6f73;
      --star: #b7791f; --mark: #ffe9a8; --code: #f1eee7;
      --serif: ui-serif, "Iowan Old Style", Charter, Georgia, "Noto Serif", serif;
      --sans: system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif;
      --mono: ui-monospace, "SF Mono", Menlo, Consolas, "Noto Sans Mono", monospace;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --paper: #16181a; --ink: #dcd9d2; --faint: #99958c; --line: #2d3032; --accent: #7fbdb9;
        --star: #e0b15a; --mark: #5a4a12; --code: #202325;
      }
    }
    * { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 5rem; }
    body {
      margin: 0; background: var(--paper); color: var(--ink);
      font: 1.0625rem/1.65 var(--serif); overflow-wrap: anywhere;
    }
    header.page, main, footer.page { max-width: 46rem; margin: 0 auto; padding: 0 1.25rem; }
    header.page {
      position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; align-items: center;
      gap: .25rem 1rem; padding-top: .75rem; padding-bottom: .75rem; background: var(--paper);
      border-bottom: 1px solid var(--line); font-family: var(--sans);
    }
    header.page h1 { margin: 0; font-size: 1.0625rem; font-weight: 600; }
    #tools { display: flex; flex: 1 1 16rem; gap: .5rem; }
    #tools[hidden] { display: none; }
    #found { flex-basis: 100%; margin: 0; font-size: .8125rem; color: var(--faint); }
    #found:empty { display: none; }
    input, select {
      font: .9375rem/1.4 var(--sans); color: inherit; background: transparent;
      border: 1px solid var(--line); border-radius: .5rem; padding: .4rem .65rem; min-width: 0;
    }
    input { flex: 1; }
    select { flex: none; max-width: 9.5rem; }
    option { color: var(--ink); background: var(--paper); }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
    section { content-visibility: auto; contain-intrinsic-size: auto 24rem; padding-top: 2.25rem; }
    section[hidden], article[hidden] { display: none; }
    h2 {
      margin: 0 0 1rem; font: 600 .875rem/1.4 var(--sans); letter-spacing: .02em;
      color: var(--faint);
    }
    article { margin: 0 0 1.75rem; }
    article > header {
      display: flex; gap: .5rem; font: .8125rem/1.6 var(--sans); color: var(--faint);
      font-variant-numeric: tabular-nums;
    }
    .star { color: var(--star); }
    .trash { font-style: italic; }
    .deleted .text { opacity: .6; }
    .text > :first-child { margin-top: 0; }
    .text > :last-child { margin-bottom: 0; }
    h3 { margin: 0 0 .35rem; font-size: 1.1875rem; line-height: 1.4; font-weight: 600; }
    h4, h5, h6 { margin: 1.25rem 0 .35rem; font-size: 1.0625rem; line-height: 1.4; }
    p, ul, ol, blockquote, pre, table { margin: .6rem 0; }
    ul, ol { padding: 0; list-style: none; }
    li > ul, li > ol { margin: 0; }
    blockquote > :first-child { margin-top: 0; } blockquote > :last-child { margin-bottom: 0; }
    li { padding-left: 1.5em; }
    .sign { display: inline-block; min-width: 1.1em; margin-left: -1.5em; padding-right: .4em;
      color: var(--faint); text-align: right; }
    .done { color: var(--faint); } .done > ul, .done > ol { color: var(--ink); }
    blockquote { padding-left: 1rem; border-left: 3px solid var(--line); color: var(--faint); }
    code { font: .875em/1.5 var(--mono); background: var(--code); border-radius: .25rem;
      padding: .1em .3em; }
    pre { background: var(--code); border-radius: .5rem; padding: .8rem 1rem; overflow-x: auto; }
    pre code { padding: 0; background: none; overflow-wrap: normal; }
    table { display: block; overflow-x: auto; border-collapse: collapse; }
    th, td { padding: .2rem .75rem; border: 1px solid var(--line); text-align: left; }
    .center { text-align: center; } .right { text-align: right; }
    hr { width: 4rem; margin: 1.5rem auto; border: 0; border-top: 1px solid var(--line); }
    a { color: var(--accent); text-underline-offset: .15em; text-decoration-thickness: 1px; }
    .tag { color: var(--accent); }
    .js .tag { cursor: pointer; }
    .js .tag:hover { text-decoration: underline; }
    img { max-width: 100%; height: auto; }
    .file { font: .875em var(--mono); color: var(--faint); }
    ::highlight(found) { background-color: var(--mark); }
    footer.page { padding-top: 2rem; padding-bottom: 3rem; font: .8125rem var(--sans);
      color: var(--faint); }
    @media (min-width: 60rem) {
      article { position: relative; }
      article > header { position: absolute; right: calc(100% + 1.25rem); top: .22rem;
        white-space: nowrap; flex-direction: row-reverse; }
      section { padding-left: 7rem; margin-left: -7rem; }
      .trash { display: block; }
    }
    @media print {
      :root { --paper: #fff; --ink: #000; --faint: #555; --line: #ccc; --accent: #000;
        --star: #000; --code: #f4f4f4; }
      body { font-size: 10.5pt; }
      #tools, #found { display: none; }
      header.page { position: static; }
      section { content-visibility: visible; padding-left: 0; margin-left: 0; }
      article > header { position: static; }
      h2, h3, article > header { break-after: avoid; }
      pre, blockquote, li { break-inside: avoid; }
    }
    """
}

extension HTMLPage {
  /// The search: words as typed, ignoring case and accents, anywhere in the text.
  ///
  /// Texts are folded in slices while the browser is idle, so that the first key does not wait;
  /// only visible matches are highlighted, by ranges.
  static let script = #"""
    (() => {
      "use strict";
      const query = document.getElementById("query");
      const found = document.getElementById("found");
      const month = document.getElementById("month");
      const sections = Array.from(document.querySelectorAll("section"));
      const articles = Array.from(document.querySelectorAll("article"));
      const folded = new Array(articles.length);
      const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "")
        .toUpperCase().toLowerCase();
      const text = (index) => {
        if (folded[index] === undefined) {
          const article = articles[index];
          const star = article.classList.contains("starred") ? " ★" : "";
          folded[index] = fold(article.lastElementChild.textContent.replace(/\s+/g, " ") + star);
        }
        return folded[index];
      };

      document.documentElement.classList.add("js");
      document.getElementById("tools").hidden = false;

      let next = 0;
      const idle = window.requestIdleCallback || ((work) => setTimeout(() => {
        const end = performance.now() + 8;
        work({ timeRemaining: () => end - performance.now() });
      }, 16));
      const prepare = (deadline) => {
        while (next < articles.length && deadline.timeRemaining() > 1) text(next++);
        if (next < articles.length) idle(prepare);
      };
      idle(prepare);

      const months = new Map();
      for (const section of sections) {
        const key = section.dataset.day.slice(0, 7);
        if (!months.has(key)) months.set(key, section);
      }
      month.append(new Option("Month", ""));
      for (const key of Array.from(months.keys()).sort()) month.append(new Option(key, key));
      month.addEventListener("change", () => {
        const section = months.get(month.value);
        if (section) {
          const shown = sections.slice(sections.indexOf(section)).find((one) => !one.hidden);
          (shown || section).scrollIntoView();
        }
        month.value = "";
      });

      // Words, "phrases" and excluded -words.
      const parse = (input) => {
        const terms = [];
        for (const match of input.matchAll(/(-?)(?:"([^"]*)"?|(\S+))/g)) {
          const word = fold((match[2] ?? match[3]).replace(/\s+/g, " "));
          if (word) terms.push({ word, isOut: match[1] === "-" });
        }
        return terms;
      };

      let words = [];
      let marked = new Set();
      const ranges = (element, add) => {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          let line = "";
          const places = [];
          let offset = 0;
          for (const character of node.data) {
            const piece = fold(character);
            for (let index = 0; index < piece.length; index++) places.push(offset);
            line += piece;
            offset += character.length;
          }
          places.push(offset);
          for (const word of words) {
            for (let at = line.indexOf(word); at >= 0; at = line.indexOf(word, at + word.length)) {
              let end = at + word.length;
              while (end < places.length - 1 && places[end] === places[end - 1]) end++;
              const range = new Range();
              range.setStart(node, places[at]);
              range.setEnd(node, places[end]);
              add(range);
            }
          }
        }
      };
      const canMark = "highlights" in CSS;
      const highlight = canMark ? new Highlight() : null;
      if (canMark) CSS.highlights.set("found", highlight);
      const watcher = new IntersectionObserver((changes) => {
        for (const change of changes) {
          if (!change.isIntersecting || marked.has(change.target)) continue;
          marked.add(change.target);
          for (const article of change.target.querySelectorAll("article:not([hidden]) > .text")) {
            ranges(article, (range) => highlight.add(range));
          }
        }
      }, { rootMargin: "50%" });

      const show = () => {
        const terms = parse(query.value);
        words = terms.filter((term) => !term.isOut).map((term) => term.word);
        const visible = new Set();
        let count = 0;
        articles.forEach((article, index) => {
          const fits = terms.every(({ word, isOut }) => text(index).includes(word) !== isOut);
          if (article.hidden === fits) article.hidden = !fits;
          if (fits) {
            count++;
            visible.add(article.parentElement);
          }
        });
        for (const section of sections) {
          const hide = !visible.has(section);
          if (section.hidden !== hide) section.hidden = hide;
        }
        found.textContent = terms.length === 0 ? ""
          : count === 0 ? "Nothing found" : `${count} of ${articles.length}`;
        if (!canMark) return;
        watcher.disconnect();
        highlight.clear();
        marked = new Set();
        if (words.length > 0) for (const section of visible) watcher.observe(section);
      };

      let timer = 0;
      query.addEventListener("input", () => {
        clearTimeout(timer);
        timer = setTimeout(show, 60);
      });
      document.addEventListener("click", (event) => {
        const tag = event.target.closest?.(".tag");
        if (!tag) return;
        query.value = tag.textContent;
        show();
        scrollTo({ top: 0 });
      });
      document.addEventListener("keydown", (event) => {
        if (event.key === "Escape" && query.value) {
          query.value = "";
          show();
        } else if (event.key === "/" && event.target !== query && !event.ctrlKey
          && !event.metaKey && !event.altKey) {
          event.preventDefault();
          query.focus();
          query.select();
        }
      });
      if (query.value) show();
    })();
    """#
}
