import Journal

/// Archives of Twitter and X.
enum TwitterFormat: ReadableFormat {
  static let name = "twitter"
  static let guide = TwitterSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    TwitterSource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool { TwitterSource.recognises(files: files) }

  static func source(
    _ input: ImportInput, options: ImportOptions
  ) throws -> any EntrySource {
    switch input {
    case .file(let stream): return TwitterSource(stream, options: options)
    case .directory(let directory): return TwitterSource(directory, options: options)
    }
  }
}

/// Reads the tweets of an archive of Twitter or X: `data/tweets.js`, and its further parts.
///
/// Each tweet is an entry; retweets are counted. Times are instants and are shown on the clock, since
/// an archive says nothing of a zone. Short addresses are replaced by the ones that they mean,
/// and pictures and videos become links to their files in the archive. A long tweet has its whole
/// text from `note-tweet.js`. The tweet that a reply answers becomes a field.
struct TwitterSource: EntrySource {
  private enum Input {
    case stream(ByteStream)
    case directory(any ImportDirectory)
  }

  private let input: Input
  private let options: ImportOptions
  private var files: ArraySlice<String>
  private var current: (records: JSONRecords, file: String?)?
  private var isOpened = false
  /// The texts of long tweets, by the second and the beginning of their text.
  private var notes = TwitterNotes()
  /// The directory of pictures and videos in the archive.
  private let mediaDirectory: String

  /// Makes a source of one file of tweets.
  init(_ stream: ByteStream, options: ImportOptions) {
    input = .stream(stream)
    self.options = options
    mediaDirectory = Self.mediaDirectory(in: [])
    files = [""]
  }

  /// Makes a source of an archive.
  init(_ directory: any ImportDirectory, options: ImportOptions) {
    input = .directory(directory)
    self.options = options
    mediaDirectory = Self.mediaDirectory(in: directory.files)
    files = directory.files.filter(Self.hasTweets)[...]
  }

  /// Whether a file has tweets.
  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    let text = String(decoding: head.prefix(64), as: UTF8.self).drop(while: \.isWhitespace)
    return text.hasPrefix("window.YTD.tweet.part") || text.hasPrefix("window.YTD.tweets.part")
  }

  /// Whether a directory or an archive has a file of tweets.
  static func recognises(files: [String]) -> Bool {
    files.contains(where: hasTweets)
  }

  static let guide = ImportGuide(
    files: "tweets.js, or the directory or zip of the archive",
    ways: ["X (Twitter): Settings, Your account, Download an archive of your data"])

  /// The directory of pictures and videos; archives before 2022 have another name for it.
  private static func mediaDirectory(in files: [String]) -> String {
    let names = ["tweets_media", "tweet_media"]
    let found = files.lazy.map { ForeignPath.directory(of: $0) }.first { directory in
      names.contains { directory == $0 || directory.hasSuffix("/\($0)") }
    }
    return found ?? "data/tweets_media"
  }

  /// `data/tweets.js`, `tweet.js`, `data/tweets-part1.js`.
  private static func hasTweets(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    return name == "tweets.js" || name == "tweet.js"
      || (name.hasSuffix(".js") && (name.hasPrefix("tweets-part") || name.hasPrefix("tweet-part")))
  }

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    if !isOpened {
      isOpened = true
      if let problem = try readNotes() { return problem }
    }
    while true {
      if current == nil {
        guard let file = files.popFirst() else { return nil }
        do {
          try open(file)
        } catch let error as FormatError {
          guard case .directory = input else { throw error }
          return .problem(error, ImportPlace(file: file, line: error.place.line))
        }
      }
      guard let (records, file) = current else { continue }
      do {
        if let item = try item(records) { return file.map(item.inFile) ?? item }
        current = nil
      } catch let error as FormatError {
        guard let file else { throw error }
        current = nil
        return .problem(error, ImportPlace(file: file, line: error.place.line))
      }
    }
  }

  private mutating func open(_ file: String) throws {
    switch input {
    case .stream(let stream): current = (try Self.records(stream, options), nil)
    case .directory(let directory):
      current = (try Self.records(try directory.open(file), options), file)
    }
  }

  /// The records of a file, after `window.YTD.tweets.part0 =`.
  private static func records(
    _ stream: ByteStream, _ options: ImportOptions
  ) throws -> JSONRecords {
    let head = try stream.peek(256)
    if head.first(where: { !ASCII.isSpace($0) }) != UInt8(ascii: "[") {
      guard let sign = head.firstIndex(of: UInt8(ascii: "=")) else {
        throw FormatError("does not begin like a file of tweets")
      }
      stream.take(sign + 1)
    }
    return JSONRecords(stream, options: JSONOptions(isLossy: options.isLossy))
  }

  private mutating func readNotes() throws -> ImportItem? {
    guard case .directory(let directory) = input else { return nil }
    for file in directory.files where file.split(separator: "/").last == "note-tweet.js" {
      do {
        let records = try Self.records(try directory.open(file), options)
        while let record = try records.nextValue() {
          if case .value(let value, _) = record { notes.add(value["noteTweet"] ?? value) }
        }
      } catch let error as FormatError {
        return .problem(error, ImportPlace(file: file, line: error.place.line))
      }
    }
    return nil
  }

  // MARK: Tweets

  private func item(_ records: JSONRecords) throws -> ImportItem? {
    switch try records.nextValue() {
    case nil: return nil
    case .broken(let error): return .problem(error)
    case .value(let value, let line):
      let place = ImportPlace(line: line)
      guard value.members != nil else { return .problem("\(value.kind) is not a tweet", place) }
      let tweet = value["tweet"] ?? value
      do throws(FormatError) {
        let text = try tweet.text("full_text")
        if Self.isRetweet(tweet, text) { return .passedBy("retweeted, left out", place) }
        return .entry(try entry(tweet, text), place)
      } catch {
        return .problem(error, place)
      }
    }
  }

  private static func isRetweet(_ tweet: JSONValue, _ text: String) -> Bool {
    guard text.hasPrefix("RT @"), let colon = text.prefix(40).firstIndex(of: ":") else {
      return false
    }
    // Who writes `RT` by hand mentions nobody there.
    let name = text[..<colon].dropFirst(4)
    let mentions = tweet["entities"]?["user_mentions"]?.array ?? []
    return mentions.contains { $0["screen_name"]?.string?.lowercased() == name.lowercased() }
  }

  private func entry(_ tweet: JSONValue, _ short: String) throws(FormatError) -> ImportedEntry {
    let date = try tweet.text("created_at")
    guard let created = Self.moment(date, options.clock) else {
      throw FormatError.noDate(date)
    }
    let identifier = tweet["id_str"]?.string ?? tweet["id"]?.string ?? ""
    let media = TwitterMedia(tweet, identifier: identifier, in: mediaDirectory)
    let found = notes.text(of: short, at: created.seconds)
    var written = found.map { Array($0.utf8) } ?? Array(short.utf8)
    written = TwitterText.plain(written, tweet, media: media, isEscaped: found == nil)
    let text = String(decoding: ASCII.trimmed(written[...]), as: UTF8.self)
    let parts = [text] + media.links
    let whole = parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
    guard !whole.isEmpty else { throw FormatError(entry: "has no text") }
    var entry = ImportedEntry(created: created, day: created.localDay, text: whole)
    if let answered = tweet["in_reply_to_status_id_str"]?.string, Int64(answered) != nil {
      let name = tweet["in_reply_to_screen_name"]?.string ?? "i"
      let user = name.utf8.allSatisfy(Self.isNameByte) && !name.isEmpty ? name : "i"
      entry.fields.append(
        ImportedField(name: "reply-to", value: "https://twitter.com/\(user)/status/\(answered)"))
    }
    if !media.links.isEmpty {
      entry.remarkFileLinks()
    }
    for name in ["favorite_count", "retweet_count"] {
      let count = try tweet.text(name)
      if !count.isEmpty, count != "0" { entry.unkept.append(name) }
    }
    for name in ["coordinates", "geo", "place"] where tweet[name].map({ !$0.isNull }) ?? false {
      entry.unkept.append(name)
    }
    return entry
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "_")
  }

  /// `Fri Jan 05 08:15:00 +0000 2024`.
  private static func moment(_ date: String, _ clock: WallClock) -> Moment? {
    let words = date.split(separator: " ")
    guard words.count == 6 else { return InstantText.moment(date, clock, acceptsDays: true) }
    return InstantText.moment(
      "\(words[2]) \(words[1]) \(words[5]) \(words[3]) \(words[4])", clock, acceptsDays: true)
  }
}

/// The texts of tweets that are longer than a tweet once was.
struct TwitterNotes {
  private var texts: [Int64: [String]] = [:]

  /// Adds a record of `note-tweet.js`.
  mutating func add(_ note: JSONValue) {
    guard let date = note["createdAt"]?.string, let moment = Moment(date),
      var text = note["core"]?["text"]?.string
    else { return }
    for url in note["core"]?["urls"]?.array ?? [] {
      if let short = url["shortUrl"]?.string, let long = url["expandedUrl"]?.string, !short.isEmpty
      {
        text = text.replacing(short, with: long)
      }
    }
    texts[moment.seconds, default: []].append(text)
  }

  /// The whole text of a tweet that is cut.
  func text(of short: String, at seconds: Int64) -> String? {
    // The ends of a tweet are an ellipsis and an address.
    guard short.utf8.count > 200, !texts.isEmpty else { return nil }
    let start = short.prefix(80)
    return (seconds - 2...seconds + 2).lazy.compactMap { second in
      texts[second]?.first { $0.hasPrefix(start) }
    }.first
  }
}

/// The pictures and videos of a tweet.
struct TwitterMedia {
  /// The short addresses in the text that mean them.
  private(set) var shortAddresses: Set<String> = []
  /// Links to their files in the archive.
  private(set) var links: [String] = []

  init(_ tweet: JSONValue, identifier: String, in directory: String) {
    let media = tweet["extended_entities"]?["media"]?.array ?? tweet["entities"]?["media"]?.array
    for file in media ?? [] {
      if let short = file["url"]?.string { shortAddresses.insert(short) }
      let isPicture = (file["type"]?.string ?? "photo") == "photo"
      guard let address = Self.address(file, isPicture: isPicture) else { continue }
      let name = address.prefix { $0 != "?" }.split(separator: "/").last ?? ""
      guard !name.isEmpty, identifier.utf8.allSatisfy(ASCII.isDigit), !identifier.isEmpty else {
        continue
      }
      let path = "\(directory)/\(identifier)-\(name)"
      var runs = MarkdownRuns()
      runs.appendFile(
        path, text: isPicture ? [] : Array("video".utf8), isPicture: isPicture, link: nil)
      links.append(String(decoding: runs.lines().first ?? [], as: UTF8.self))
    }
  }

  private static func address(_ file: JSONValue, isPicture: Bool) -> String? {
    let picture = file["media_url_https"]?.string ?? file["media_url"]?.string
    if isPicture { return picture }
    // The archive has the version with the most bits.
    let variants = file["video_info"]?["variants"]?.array ?? []
    let best = variants.filter { $0["content_type"]?.string == "video/mp4" }.max {
      bits($0) < bits($1)
    }
    return best?["url"]?.string ?? picture
  }

  private static func bits(_ variant: JSONValue) -> Int {
    variant["bitrate"]?.integer ?? variant["bitrate"]?.string.flatMap { Int($0) } ?? 0
  }
}

/// The text of a tweet as its writer saw it.
enum TwitterText {
  /// The text with whole addresses, without those of pictures, and with plain `&`, `<` and `>`.
  ///
  /// - Complexity: linear in the bytes, and in the number of addresses.
  static func plain(
    _ bytes: [UInt8], _ tweet: JSONValue, media: TwitterMedia, isEscaped: Bool
  ) -> [UInt8] {
    var addresses: [String: String] = [:]
    for url in tweet["entities"]?["urls"]?.array ?? [] {
      guard let short = url["url"]?.string, let long = url["expanded_url"]?.string else { continue }
      addresses[short] = long
    }
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "h"), bytes[index...].starts(with: "http".utf8) {
        let address = bytes[index...].prefix {
          $0 > 0x20 && $0 < 0x7F && !"<>&\"".utf8.contains($0)
        }
        let text = String(decoding: address, as: UTF8.self)
        if media.shortAddresses.contains(text) {
          while result.last == 0x20 { result.removeLast() }
        } else {
          result += Array((addresses[text] ?? text).utf8)
        }
        index = address.endIndex
      } else if isEscaped, bytes[index] == UInt8(ascii: "&"),
        let (sign, length) = entity(bytes[index...])
      {
        result.append(sign)
        index += length
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }

  private static func entity(_ bytes: ArraySlice<UInt8>) -> (UInt8, Int)? {
    for (name, sign) in [("&amp;", UInt8(ascii: "&")), ("&lt;", 0x3C), ("&gt;", 0x3E)]
    where bytes.starts(with: name.utf8) {
      return (sign, name.utf8.count)
    }
    return nil
  }
}
