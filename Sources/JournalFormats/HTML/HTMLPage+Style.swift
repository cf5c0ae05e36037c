extension HTMLPage {
  /// How the page looks: a column of text on paper, times in its margin where there is room.
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
    p, ul, blockquote, pre { margin: .6rem 0; }
    ul { padding: 0; list-style: none; }
    li { padding-left: 1.5em; }
    .sign { display: inline-block; min-width: 1.1em; margin-left: -1.5em; padding-right: .4em;
      color: var(--faint); text-align: right; }
    .d1 { margin-left: 1.5em; } .d2 { margin-left: 3em; } .d3 { margin-left: 4.5em; }
    .d4, .d5, .d6 { margin-left: 6em; }
    .done { color: var(--faint); }
    blockquote { padding-left: 1rem; border-left: 3px solid var(--line); color: var(--faint); }
    code { font: .875em/1.5 var(--mono); background: var(--code); border-radius: .25rem;
      padding: .1em .3em; }
    pre { background: var(--code); border-radius: .5rem; padding: .8rem 1rem; overflow-x: auto; }
    pre code { padding: 0; background: none; overflow-wrap: normal; }
    hr { width: 4rem; margin: 1.5rem auto; border: 0; border-top: 1px solid var(--line); }
    a { color: var(--accent); text-underline-offset: .15em; text-decoration-thickness: 1px; }
    .tag { color: var(--accent); }
    .js .tag { cursor: pointer; }
    .js .tag:hover { text-decoration: underline; }
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
