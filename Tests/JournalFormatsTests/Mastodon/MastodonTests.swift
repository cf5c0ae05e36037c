import Journal
import Testing

@testable import JournalFormats

struct MastodonTests {
  private static func outbox(_ items: String) -> String {
    "{\"@context\":\"https://www.w3.org/ns/activitystreams\",\"orderedItems\":[\(items)]}"
  }

  @Test("an outbox is read whole")
  func fixtureFile() throws {
    let bytes = try fixture("mastodon-outbox.json")
    #expect(MastodonSource.recognises(bytes, path: nil))
    let read = entries(MastodonSource(ByteStream(bytes), options: options()))
    #expect(read.map(\.text) == ["Walked"])
    #expect(read.map(\.created) == [try moment("2024-01-05T09:15:00+01:00")])
    #expect(read.map(\.fields) == [[]])
  }

  @Test("warnings, hashtags, mentions, attachments, polls, replies and readers are kept")
  func posts() {
    let post = """
      {"type":"Create","object":{"type":"Question","summary":"food","published":"2024-01-05T08:15:00Z",
      "inReplyTo":"https://x.org/1","to":["https://x.org/users/a/followers"],"cc":[],
      "content":"<p>See <a href=\\"https://x.org/tags/sea\\" class=\\"mention hashtag\\" rel=\\"tag\\">#<span>sea</span></a>, \
      <span class=\\"h-card\\"><a href=\\"https://x.org/@anna\\" class=\\"u-url mention\\">@<span>anna</span></a></span> \
      <a href=\\"https://y.org/a\\"><span class=\\"invisible\\">https://</span><span>y.org/a</span></a></p>",
      "oneOf":[{"name":"yes"},{"name":"no"}],
      "attachment":[{"mediaType":"image/jpeg","url":"/media_attachments/files/1/a.jpg","name":"The sea"},
      {"mediaType":"video/mp4","url":"/../../x.mp4","name":null}]}}
      """
    let boost = "{\"type\":\"Announce\",\"object\":\"https://x.org/2\"}"
    let text = Self.outbox("\(post),\(boost)")
    #expect(MastodonSource.recognises(files: ["archive/outbox.json"]))
    let source = MastodonArchiveSource(
      DirectoryInMemory(["archive/outbox.json": text, "archive/actor.json": "{}"]),
      options: options())
    let read = entries(source)
    #expect(
      read.map(\.text) == [
        """
        food

        See #sea, @anna https://y.org/a

        - yes
        - no

        ![The sea](archive/media_attachments/files/1/a.jpg)
        """
      ])
    #expect(
      read.first?.fields == [
        ImportedField(name: "reply-to", value: "https://x.org/1"),
        ImportedField(name: "visibility", value: "followers"),
      ])
    #expect(
      items(source).last
        == .passedBy("boosted, left out", ImportPlace(file: "archive/outbox.json", line: 6)))
  }
}
