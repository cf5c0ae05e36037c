/// The stored fields of an entry, each listed once.
///
/// The JSON of entries, the columns of an SQLite journal and of its change log, their encoding and
/// decoding, salvage and the examination of values are derived from this list. A new field needs a
/// property of ``Entry``, a line at the end of ``fields``, and a step in the migrations of the
/// store.
package enum EntrySchema {
  /// The fields, in the order of the columns in the tables.
  package static let fields: [Field] = [
    Field("number", .integer(Access({ $0.number }, { $0.number = $1 }))),
    Field("uuid", .text(Access({ $0.uuid }, { $0.uuid = $1 }))),
    Field("created", noun: "time", .moment(Access({ $0.created }, { $0.created = $1 }))),
    Field(
      "modified", noun: "time of change", .moment(Access({ $0.modified }, { $0.modified = $1 }))),
    Field("day", .day(Access({ $0.day }, { $0.day = $1 }))),
    Field("starred", noun: "star", .flag(Access({ $0.starred }, { $0.starred = $1 }))),
    Field(
      "deleted", noun: "time of deletion",
      .optionalMoment(Access({ $0.deleted }, { $0.deleted = $1 }))),
    Field("text", .text(Access({ $0.text }, { $0.text = $1 }))),
  ]

  /// An entry with empty fields.
  package static let blank = Entry(
    uuid: "", created: Moment(seconds: 0, offset: 0), modified: Moment(seconds: 0, offset: 0),
    day: Day.earliest, text: "")

  /// One field.
  package struct Field: Sendable {
    /// The name of the JSON member and of the column.
    package let name: String
    /// The field's name in messages.
    package let noun: String
    /// The field's type, and its value in an entry.
    package let kind: Kind

    fileprivate init(_ name: String, noun: String? = nil, _ kind: Kind) {
      self.name = name
      self.noun = noun ?? name
      self.kind = kind
    }

    /// Whether two entries have the same value, texts byte by byte.
    package func isSame(_ left: Entry, _ right: Entry) -> Bool {
      switch kind {
      case .integer(let access): access.get(left) == access.get(right)
      case .text(let access): access.get(left).utf8.elementsEqual(access.get(right).utf8)
      case .flag(let access): access.get(left) == access.get(right)
      case .day(let access): access.get(left) == access.get(right)
      case .moment(let access): access.get(left) == access.get(right)
      case .optionalMoment(let access): access.get(left) == access.get(right)
      }
    }
  }

  /// The types of fields.
  package enum Kind: Sendable {
    case integer(Access<Int64>)
    case text(Access<String>)
    case flag(Access<Bool>)
    case day(Access<Day>)
    case moment(Access<Moment>)
    case optionalMoment(Access<Moment?>)
  }

  /// Reads and writes one property of an entry.
  ///
  /// Closures, because a key path is several times slower, and entries are decoded by the million.
  package struct Access<Value>: Sendable {
    package let get: @Sendable (Entry) -> Value
    package let set: @Sendable (inout Entry, Value) -> Void

    fileprivate init(
      _ get: @escaping @Sendable (Entry) -> Value,
      _ set: @escaping @Sendable (inout Entry, Value) -> Void
    ) {
      self.get = get
      self.set = set
    }
  }
}
