import Journal
import Testing

@testable import JournalFormats

struct OrgEncoderTests {
  private static func org(_ text: String) throws -> String {
    let created = try moment("2024-01-05T09:15:00+01:00")
    let entry = Entry(
      uuid: "01890a5d-ac96-774b-bcce-b302099a8057", created: created, modified: created,
      day: created.localDay, text: text)
    let (bytes, losses) = try encode(OrgEncoder(), [entry])
    #expect(losses == [])
    // Without the properties of Daybook, whose checksum says nothing to a reader.
    return String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false
    ).filter { !$0.hasPrefix(":DAYBOOK") }.joined(separator: "\n")
  }

  @Test("an entry is a headline with its tags, its time and its identity")
  func headline() throws {
    #expect(
      try Self.org("Walked #sea/side **far**\nand @anna") == """
        #+title: Journal

        * Walked #sea/side *far* :sea_side:@anna:
        :PROPERTIES:
        :CREATED:  [2024-01-05 Fri 09:15]
        :ID:       01890a5d-ac96-774b-bcce-b302099a8057
        :END:
        and @anna

        """)
  }

  @Test("Markdown is the markup of Org")
  func markup() throws {
    let text = """
      Title

      ## Two
      *a* ~~b~~ `c=d` [e](https://x.org/) ![](photos/f.jpg)
      \\* g
      - h
        - [x] i
      1. j

      > k

      ```swift
      * l
      ```

      | m | n |
      | - | - |
      | o | p |

      ---
      """
    let body = try Self.org(text).split(separator: ":END:\n", maxSplits: 1)[1]
    #expect(
      body == """

        *** Two
        /a/ +b+ ~c=d~ [[https://x.org/][e]] [[file:photos/f.jpg]]
        \u{200B}* g
        - h
          - [X] i
        1. j

        #+begin_quote
        k
        #+end_quote

        #+begin_src swift
        ,* l
        #+end_src

        | m | n |
        |---+---|
        | o | p |

        -----

        """)
  }
}
