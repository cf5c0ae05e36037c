import Journal

/// The fields of a Day One entry: its place, weather, activity and music.
struct DayOneFields {
  /// The fields with a value.
  private(set) var fields: [ImportedField] = []
  /// The names of members that say something else.
  private(set) var unkept: [String] = []

  /// Reads them from the entry's JSON.
  ///
  /// - Parameter isPlaceInText: whether the text is the name of the place.
  init(_ value: JSONValue, isPlaceInText: Bool) {
    add("location", of: value, isElsewhere: isPlaceInText) { location in
      let names = ["placeName", "localityName", "country"].compactMap { location[$0]?.string }
      return [
        ("place", isPlaceInText ? "" : Self.joined(names)),
        ("coordinates", Self.coordinates(location["latitude"], location["longitude"])),
      ]
    }
    add("weather", of: value) { weather in
      [
        ("weather", weather["conditionsDescription"]?.string),
        ("temperature", Self.temperature(weather["temperatureCelsius"])),
      ]
    }
    add("userActivity", of: value) { activity in
      [
        ("activity", activity["activityName"]?.string),
        ("steps", Self.count(activity["stepCount"])),
      ]
    }
    add("music", of: value) { music in
      let parts = [music["artist"], music["track"] ?? music["title"]]
      return [("music", Self.joined(parts.compactMap { $0?.string }))]
    }
    for (member, known) in Self.known where !unkept.contains(member) {
      unkept += value.unkept(in: member, but: known)
    }
  }

  /// The names in members that are read, follow from others, or are in the file itself.
  private static let known: [(member: String, names: Set<String>)] = {
    let media: Set = [
      "identifier", "md5", "type", "filename", "fileName", "orderInEntry", "width", "height",
      "fileSize", "date", "duration", "favorite", "isSketch", "format", "pdfName", "thumbnail",
      "cameraMake", "cameraModel", "lensMake", "lensModel", "fnumber", "focalLength",
      "exposureBiasValue", "audioChannels", "sampleRate",
    ]
    return [
      (
        "location",
        ["placeName", "localityName", "country", "latitude", "longitude", "timeZoneName"]
      ), ("weather", ["conditionsDescription", "temperatureCelsius", "weatherCode"]),
      ("userActivity", ["activityName", "stepCount", "ignoreStepCount"]),
      ("music", ["artist", "track", "title"]), ("photos", media), ("videos", media),
      ("audios", media), ("pdfAttachments", media),
    ]
  }()

  /// Reads the values of Day One Classic.
  init(_ values: [String: PropertyList], isPlaceInText: Bool) {
    if let location = values["Location"] {
      let names = ["Place Name", "Locality", "Country"].compactMap { location[$0]?.string }
      if !isPlaceInText { add("place", Self.joined(names)) }
      if case .number(let latitude)? = location["Latitude"],
        case .number(let longitude)? = location["Longitude"]
      {
        add("coordinates", Self.coordinates(.number(latitude), .number(longitude)))
      }
    }
    if let weather = values["Weather"] {
      add("weather", weather["Description"]?.string)
      if let celsius = weather["Celsius"] { add("temperature", Self.temperature(celsius.json)) }
    }
    add("activity", values["Activity"]?.string)
    if let steps = values["Step Count"] { add("steps", Self.count(steps.json)) }
    if let music = values["Music"] {
      add("music", Self.joined(["Artist", "Track"].compactMap { music[$0]?.string }))
    }
  }

  /// The keys of Day One Classic that are read.
  static let classicKeys: Set = ["Location", "Weather", "Activity", "Step Count", "Music"]

  /// The names in those keys that are read or follow from others.
  private static let classicNames: [String: Set<String>] = [
    "Location": ["Place Name", "Locality", "Country", "Latitude", "Longitude"],
    "Weather": ["Description", "Celsius", "Fahrenheit", "IconName"], "Music": ["Artist", "Track"],
  ]

  /// The names in those keys that say something else.
  static func unread(of values: [String: PropertyList]) -> [String] {
    classicNames.sorted { $0.key < $1.key }.flatMap { key, known -> [String] in
      guard case .dictionary(let names)? = values[key] else { return [] }
      return names.keys.sorted().filter { !known.contains($0) && names[$0]?.saysNothing == false }
        .map { "\(key) \($0)" }
    }
  }

  /// The names of those keys that became no field.
  func missing(of values: [String: PropertyList], isPlaceInText: Bool) -> Set<String> {
    let names = Set(fields.map(\.name))
    let made: [(String, Set<String>)] = [
      ("Location", ["place", "coordinates"]), ("Weather", ["weather", "temperature"]),
      ("Activity", ["activity"]), ("Step Count", ["steps"]), ("Music", ["music"]),
    ]
    let missing = made.filter { names.isDisjoint(with: $0.1) }.map(\.0)
    return Set(missing).subtracting(isPlaceInText ? ["Location"] : [])
  }

  private mutating func add(_ name: String, _ value: String?) {
    guard let value, !value.isEmpty else { return }
    fields.append(ImportedField(name: name, value: value))
  }

  /// Reads a member; one of which nothing was kept is named, unless the text has it.
  private mutating func add(
    _ member: String, of value: JSONValue, isElsewhere: Bool = false,
    _ read: (JSONValue) -> [(String, String?)]
  ) {
    guard let found = value[member], found != .null, found.members?.isEmpty != true else { return }
    let before = fields.count
    for (name, text) in read(found) { add(name, text) }
    if fields.count == before, !isElsewhere { unkept.append(member) }
  }

  /// Names without those that the ones before them have.
  private static func joined(_ names: [String]) -> String {
    var kept: [String] = []
    for name in names where !name.isEmpty && !kept.contains(where: { $0.contains(name) }) {
      kept.append(name)
    }
    return kept.joined(separator: ", ")
  }

  /// `48.20849, 16.37208`: five digits are a metre.
  private static func coordinates(_ latitude: JSONValue?, _ longitude: JSONValue?) -> String? {
    guard let latitude = number(latitude), let longitude = number(longitude),
      abs(latitude) <= 90, abs(longitude) <= 180, latitude != 0 || longitude != 0
    else { return nil }
    return "\(rounded(latitude, 100_000)), \(rounded(longitude, 100_000))"
  }

  private static func temperature(_ value: JSONValue?) -> String? {
    number(value).flatMap { abs($0) < 200 ? "\(rounded($0, 10)) °C" : nil }
  }

  private static func count(_ value: JSONValue?) -> String? {
    number(value).flatMap { $0 > 0 && $0 < 1e9 ? rounded($0, 1) : nil }
  }

  private static func number(_ value: JSONValue?) -> Double? {
    guard case .number(let text)? = value, let number = Double(text), number.isFinite else {
      return nil
    }
    return number
  }

  private static func rounded(_ number: Double, _ scale: Double) -> String {
    let rounded = (number * scale).rounded() / scale
    return Int(exactly: rounded).map { String($0) } ?? String(rounded)
  }
}

extension PropertyList {
  /// A number as JSON.
  fileprivate var json: JSONValue? {
    switch self {
    case .number(let text): .number(text)
    case .string(let text): .number(text)
    default: nil
    }
  }
}
