/// The stored fields of an entry, each listed once.
///
/// The JSON of entries, the columns of an SQLite journal and of its change log, their encoding and
/// decoding, its step among the migrations, salvage and the examination of values are derived from this
/// list. A new field needs a property of ``Entry``, and a line at the end of ``fields`` with a new
/// version of the schema. Its name, its kind and its version then stay as they are.
package enum EntrySchema {
  /// The fields, in the order of the columns in the tables.
  package static let fields: [Field] = [
    Field("number", .local, .integer(Access({ $0.number }, { $0.number = $1 }))),
    Field("uuid", .required, .text(Access({ $0.uuid }, { $0.uuid = $1 }))),
    Field(
      "created", noun: "time", .required, .moment(Access({ $0.created }, { $0.created = $1 }))),
    Field(
      "modified", noun: "time of change", lost: "time of the last change",
      .implied { $0.modified == $0.created },
      .moment(Access({ $0.modified }, { $0.modified = $1 }))),
    Field(
      "day", .implied { $0.day == $0.created.localDay },
      .day(Access({ $0.day }, { $0.day = $1 }))),
    Field("starred", noun: "star", .optional, .flag(Access({ $0.starred }, { $0.starred = $1 }))),
    Field(
      "deleted", noun: "time of deletion", lost: "trash mark", .optional,
      .optionalMoment(Access({ $0.deleted }, { $0.deleted = $1 }))),
    Field("text", .required, .text(Access({ $0.text }, { $0.text = $1 }))),
    Field(
      "conflicts", .unexported, .text(Access({ $0.conflicts }, { $0.conflicts = $1 })), version: 5),
  ]

  /// The fields that most entries go without.
  package static let optional = fields.filter {
    if case .optional = $0.presence { true } else { false }
  }

  /// The fields that are the same on each device: all but the number, which is local to a journal, and
  /// the hashes of conflicts, which follow from the conflicts.
  package static let shared = fields.filter { $0.isExported && $0.name != "number" }

  /// The order of exported members since the first version, where later fields follow.
  private static let firstMembers = [
    "uuid", "number", "created", "modified", "day", "title", "text", "tags", "starred", "deleted",
  ]

  /// The members of an exported entry, in order.
  package static let members: [ExportedMember] = {
    let later = fields.filter(\.isExported).map(\.name).filter { !firstMembers.contains($0) }
    return (firstMembers + later).compactMap { name in
      switch name {
      case "title": ExportedMember(name: name, member: .title)
      case "tags": ExportedMember(name: name, member: .tags)
      default:
        fields.first { $0.name == name }.map { ExportedMember(name: name, member: .field($0)) }
      }
    }
  }()

  /// A member of an export with its name.
  package struct ExportedMember: Sendable {
    package let name: String
    package let member: Member
  }

  /// A member of an export.
  package enum Member: Sendable {
    /// A stored field.
    case field(Field)
    /// The title, which follows from the text.
    case title
    /// The tags, which follow from the text.
    case tags
  }

  /// An entry whose fields have no values yet.
  package static let blank = Entry(
    uuid: "", created: Moment(seconds: 0, offset: 0), modified: Moment(seconds: 0, offset: 0),
    day: Day.earliest, text: "")

  /// One field; a class, since a copy of so many values and closures costs more than most uses.
  package final class Field: Sendable {
    /// The name of the JSON member and of the column.
    package let name: String
    /// The field's name in messages.
    package let noun: String
    /// The field's type, and its value in an entry.
    package let kind: Kind

    /// The field's name where an export loses it.
    package let lossNoun: String
    /// Which entries have a value of their own.
    package let presence: Presence
    /// Where the field appears without code of its own.
    package let uses: Uses
    /// The version of the schema that has the field first.
    package let version: Int

    fileprivate init(
      _ name: String, noun: String? = nil, lost: String? = nil, _ presence: Presence,
      _ kind: Kind, _ uses: Uses = [], version: Int = 1
    ) {
      self.name = name
      self.noun = noun ?? name
      self.lossNoun = lost ?? noun ?? name
      self.presence = presence
      self.kind = kind
      self.uses = uses
      self.version = version
    }

    /// Whether exports have the field.
    package var isExported: Bool { if case .unexported = presence { false } else { true } }

    /// Whether an entry has a value that a reader would not assume: one that an export must write.
    package func hasOwnValue(in entry: Entry) -> Bool {
      switch presence {
      case .local, .required: true
      case .unexported: false
      case .implied(let isImplied): !isImplied(entry)
      case .optional: !isSame(entry, EntrySchema.blank)
      }
    }

    /// The value as a text; empty for an instant that is missing.
    package func text(of entry: Entry) -> String {
      switch kind {
      case .integer(let access): String(access.get(entry))
      case .text(let access): access.get(entry)
      case .flag(let access): access.get(entry) ? "true" : "false"
      case .day(let access): access.get(entry).description
      case .moment(let access): access.get(entry).description
      case .optionalMoment(let access): access.get(entry)?.description ?? ""
      }
    }

    /// Whether two entries have the same value, texts byte by byte.
    package func isSame(_ left: Entry, _ right: Entry) -> Bool {
      switch kind {
      case .integer(let access): access.get(left) == access.get(right)
      case .text(let access): access.get(left).isSame(as: access.get(right))
      case .flag(let access): access.get(left) == access.get(right)
      case .day(let access): access.get(left) == access.get(right)
      case .moment(let access): access.get(left) == access.get(right)
      case .optionalMoment(let access): access.get(left) == access.get(right)
      }
    }

    /// Sets the value of another entry.
    package func copy(from source: Entry, to entry: inout Entry) {
      switch kind {
      case .integer(let access): access.set(&entry, access.get(source))
      case .text(let access): access.set(&entry, access.get(source))
      case .flag(let access): access.set(&entry, access.get(source))
      case .day(let access): access.set(&entry, access.get(source))
      case .moment(let access): access.set(&entry, access.get(source))
      case .optionalMoment(let access): access.set(&entry, access.get(source))
      }
    }
  }

  /// Which entries have a value of their own.
  package enum Presence: Sendable {
    /// The journal gives it; another journal gives another.
    case local
    /// It describes the entry among the user's devices, and leaves the journal by synchronisation only.
    case unexported
    /// Every entry has one.
    case required
    /// Derived from other fields unless set explicitly; the closure says whether an entry has the derived
    /// value.
    case implied(@Sendable (Entry) -> Bool)
    /// Most entries have the value of ``blank``, and exports leave it out.
    case optional
  }

  /// Where a field appears without code of its own.
  package struct Uses: OptionSet, Sendable {
    package let rawValue: UInt8

    /// Makes a set of uses.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// In queries, as `name:value`: a text, an integer or a flag.
    package static let query = Uses(rawValue: 1)
    /// Beside the date of an entry that is read.
    package static let reading = Uses(rawValue: 2)
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

extension EntrySchema.Field {
  /// The field of an entry in words, on one line: a flag's name, a text, else name and value; `nil` if
  /// the entry has no value of its own.
  package func detail(of entry: Entry) -> String? {
    guard hasOwnValue(in: entry) else { return nil }
    return switch kind {
    case .flag: noun
    case .text: text(of: entry).split(whereSeparator: \.isNewline).joined(separator: " ")
    case .integer, .day, .moment, .optionalMoment: "\(noun) \(text(of: entry))"
    }
  }
}

extension Entry {
  /// Words for the fields that are shown beside its date.
  package var details: [String] { EntrySchema.shown.compactMap { $0.detail(of: self) } }
}

extension EntrySchema {
  fileprivate static let shown = fields.filter { $0.uses.contains(.reading) }
}
