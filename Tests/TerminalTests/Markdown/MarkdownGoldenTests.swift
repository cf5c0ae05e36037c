import Testing

@testable import Terminal
@testable import TextLayout

@Suite("A rendered text as a picture")
struct MarkdownGoldenTests {
  private static let walk = """
    Sunday walk

    #tagged is a tag. It was **cold** and *very* windy, ~~not~~ `warm`, see [the map](https://a.org/m).
    A second line, as written; 2*3*4 and snake_case stay.
    1986. at the start of a line stays text here.

    # A heading
    - bread and butter, and a long item that has to be wrapped
      - nested item
        1. numbered
    - [ ] call @anna
    - [x] pay rent

    > A quote that someone said, long enough to be wrapped.
    > > nested **bold** quote

    ```swift
    let x = 1  // a comment that is rather long
    ```

    | Day | Walked | Mood |
    |:----|-------:|:----:|
    | Mon | 5 km | good |
    | 火曜日 | 12 km | tired but very happy, all in all |

    ---
    The end.
    """

  @Test("every kind of block is laid out at 72 columns")
  func wide() {
    #expect(
      picture(Self.walk, 72) == """
        Sunday walk

        #tagged is a tag. It was cold and very windy, ~~not~~ warm, see the map
        (https://a.org/m).
        A second line, as written; 2*3*4 and snake_case stay.
        1986. at the start of a line stays text here.

        A heading
        • bread and butter, and a long item that has to be wrapped
          • nested item
            1. numbered
        ☐ call @anna
        ☑ pay rent

        │ A quote that someone said, long enough to be wrapped.
        │ │ nested bold quote

          swift
          let x = 1  // a comment that is rather long

        Day    │ Walked │               Mood
        ───────┼────────┼─────────────────────────────────
        Mon    │   5 km │               good
        火曜日 │  12 km │ tired but very happy, all in all

        ────────────────────────────────────────────────────────────────────────
        The end.
        """)
  }

  @Test("everything at 40 columns")
  func middle() {
    #expect(
      picture(Self.walk, 40) == """
        Sunday walk

        #tagged is a tag. It was cold and very
        windy, ~~not~~ warm, see the map
        (https://a.org/m).
        A second line, as written; 2*3*4 and
        snake_case stay.
        1986. at the start of a line stays text
        here.

        A heading
        • bread and butter, and a long item that
          has to be wrapped
          • nested item
            1. numbered
        ☐ call @anna
        ☑ pay rent

        │ A quote that someone said, long enough
        │ to be wrapped.
        │ │ nested bold quote

          swift
          let x = 1  // a comment that is rather
           long

        Day    │ Walked │          Mood
        ───────┼────────┼───────────────────────
        Mon    │   5 km │          good
        火曜日 │  12 km │ tired but very happy,
               │        │       all in all

        ────────────────────────────────────────
        The end.
        """)
  }

  @Test("everything at 16 columns, where the table has no room to stand in columns")
  func narrow() {
    #expect(
      picture(Self.walk, 16) == """
        Sunday walk

        #tagged is a
        tag. It was cold
        and very windy,
        ~~not~~ warm,
        see the map
        (https://a.org/m
        ).
        A second line,
        as written;
        2*3*4 and
        snake_case stay.
        1986. at the
        start of a line
        stays text here.

        A heading
        • bread and
          butter, and a
          long item that
          has to be
          wrapped
          • nested item
            1. numbered
        ☐ call @anna
        ☑ pay rent

        │ A quote that
        │ someone said,
        │ long enough to
        │ be wrapped.
        │ │ nested bold
        │ │ quote

          swift
          let x = 1  //
          a comment that
           is rather lon
          g

        | Day | Walked |
        Mood |
        | Mon | 5 km |
        good |
        | 火曜日 | 12 km
        | tired but very
        happy, all in
        all |

        ────────────────
        The end.
        """)
  }

  @Test("seven scripts and emoji at 16 columns")
  func scripts() {
    let text = """
      Ça été un très bel été à Besançon.
      今天我和朋友们去公园散步，天气很好。
      今日は友だちと「公園」を散歩しました。
      오늘은 친구와 공원에서 산책했습니다.
      ذهبت اليوم إلى الحديقة مع صديقي
      היום הלכתי לפארק עם חבר
      วันนี้ฉันไปเดินเล่นที่สวนกับเพื่อน
      आज मैं दोस्त के साथ बगीचे में गया।
      👩‍👩‍👧 👍🏽 🇩🇪🇫🇷 🎉🎉🎉🎉🎉
      """
    let lines = MarkdownLayout(text, columns: 16, isTitled: false)
    for line in lines { #expect(line.columns <= 16, "\(line.text)") }
    #expect(
      lines.prefix(9).map(\.text).map { $0.hasSuffix(" ") ? String($0.dropLast()) : $0 } == [
        "Ça été un très", "bel été à", "Besançon.", "今天我和朋友们去", "公园散步，天气很",
        "好。", "今日は友だちと", "「公園」を散歩し", "ました。",
      ])
  }
}
