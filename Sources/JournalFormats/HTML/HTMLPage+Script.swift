extension HTMLPage {
  /// The search: words as they are typed, without case and accents, anywhere in the text.
  ///
  /// Texts are folded a slice at a time while the browser is idle, so that the first key does not wait
  /// for them; matches are marked by ranges, and only where they are on the screen.
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

      // Words, "phrases" and -words that must not be there.
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
