/// What a list of entries can be sorted by.
package enum EntryField: Hashable, Sendable {
  /// The day an entry belongs to, as days since 1970-01-01.
  case day
  /// The Monday of the day's week, as days since 1970-01-01.
  case week
  /// The day's month, counted from the year 0.
  case month
  /// The day's year.
  case year
  /// When it was written, in seconds since the epoch.
  case created
  /// When it was last changed, in seconds since the epoch.
  case modified
  /// Its number.
  case number
  /// Its title without case and accents.
  case titleKey
  /// The folded tag whose section the row stands in.
  case tag
}
