import Journal
import Testing

@testable import JournalFormats

struct TwitterTests {
  private static func file(_ tweets: String) -> TwitterSource {
    TwitterSource(
      ByteStream(utf8("window.YTD.tweets.part0 = [\(tweets)]")), options: options())
  }

  private static func tweet(_ text: String, _ rest: String = "") -> String {
    "{\"tweet\": {\"id_str\":\"7\",\"created_at\":\"Fri Jan 05 23:15:00 +0000 2024\","
      + "\"full_text\":\"\(text)\"\(rest)}}"
  }

  @Test("an archive's file is read whole: instants on the clock, tags in the text, counts")
  func fixtureFile() throws {
    let bytes = try fixture("twitter-tweets.js")
    #expect(TwitterSource.recognises(bytes, path: nil))
    let read = entries(TwitterSource(ByteStream(bytes), options: options()))
    #expect(read.map(\.text) == ["Walked to the sea #holiday"])
    #expect(read.map(\.created) == [try moment("2024-01-05T09:15:00+01:00")])
    #expect(read.map(\.day) == [try day("2024-01-05")])
    #expect(read.map(\.unkept) == [["favorite_count"]])
  }

  @Test("short addresses are replaced, pictures are links, signs are plain, replies have a field")
  func tweets() throws {
    let rest = """
      ,"entities":{"urls":[{"url":"https://t.co/aB1","expanded_url":"https://x.org/a_page"}],
      "media":[{"url":"https://t.co/pic"}]},
      "extended_entities":{"media":[{"url":"https://t.co/pic","media_url_https":"https://pbs.twimg.com/media/F1.jpg","type":"photo"},
      {"url":"https://t.co/pic","media_url_https":"https://pbs.twimg.com/t.jpg","type":"video","video_info":{"variants":[
      {"bitrate":"1","content_type":"video/mp4","url":"https://v.org/lo.mp4"},
      {"bitrate":"9","content_type":"video/mp4","url":"https://v.org/hi.mp4?tag=1"}]}}]},
      "in_reply_to_status_id_str":"5","in_reply_to_screen_name":"anna"
      """
    let source = Self.file(
      Self.tweet("@anna A &amp; B &lt;3 https://t.co/aB1 see\\n\\nNow https://t.co/pic", rest))
    let read = entries(source)
    #expect(
      read.map(\.text) == [
        "@anna A & B <3 https://x.org/a_page see\n\nNow\n\n![](data/tweets_media/7-F1.jpg)\n\n"
          + "[video](data/tweets_media/7-hi.mp4)"
      ])
    #expect(
      read.map(\.fields) == [
        [ImportedField(name: "reply-to", value: "https://twitter.com/anna/status/5")]
      ])
    #expect(read.map(\.day) == [try day("2024-01-06")])
  }

  @Test("retweets are counted, and RT by hand is a text")
  func retweets() {
    let mentions = ",\"entities\":{\"user_mentions\":[{\"screen_name\":\"Bert\"}]}"
    let tweets = [Self.tweet("RT @bert: hi", mentions), Self.tweet("RT @bert: mine")]
    let all = items(Self.file(tweets.joined(separator: ",")))
    #expect(all.first == .passedBy("retweeted, left out", ImportPlace(line: 1)))
    #expect(entries(Self.file(tweets.joined(separator: ","))).map(\.text) == ["RT @bert: mine"])
  }

  @Test("all parts of an archive are read, and long tweets have their whole text")
  func archive() throws {
    let long = String(repeating: "word ", count: 80)
    let picture =
      ",\"entities\":{\"media\":[{\"url\":\"t\",\"media_url\":\"http://p.org/F1.jpg\"}]}"
    let directory = DirectoryInMemory([
      "data/tweets.js":
        "window.YTD.tweets.part0 = [\(Self.tweet(long.prefix(270) + "… https://t.co/x"))]",
      "data/tweets-part1.js": "window.YTD.tweets.part1 = [\(Self.tweet("two", picture))]",
      "data/tweet_media/7-F1.jpg": "",
      "data/deleted-tweets.js": "window.YTD.deleted_tweets.part0 = [\(Self.tweet("gone"))]",
      "data/note-tweet.js":
        "window.YTD.note_tweet.part0 = [{\"noteTweet\":{\"createdAt\":\"2024-01-05T23:15:00.000Z\",\"core\":{\"text\":\"\(long)\"}}}]",
    ])
    #expect(TwitterSource.recognises(files: directory.files))
    #expect(!TwitterSource.recognises(files: ["data/like.js", "tweets.json"]))
    let read = entries(TwitterSource(directory, options: options()))
    #expect(read.map(\.text) == ["two\n\n![](data/tweet_media/7-F1.jpg)", long.trimmingWhitespace])
  }

  @Test("damaged files are reported with their place")
  func damaged() {
    #expect(
      problems(Self.file("1, {\"tweet\":{\"full_text\":\"a\"}}")) == [
        "1: a number is not a tweet", "1: has no date",
      ])
    let cut = TwitterSource(
      ByteStream(utf8("window.YTD.tweets.part0 = [\(Self.tweet("a")),{\"tw")), options: options())
    #expect(items(cut).count == 2)
    #expect(problems(TwitterSource(ByteStream(utf8("nothing")), options: options())).count == 1)
  }
}
