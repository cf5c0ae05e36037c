/// How a controller follows commits (rules 14 to 16).
public enum TrackingMode: Equatable, Sendable {
  /// Not at all: results stay as fetched, since nobody listens.
  case none
  /// In memory.
  case memoryOnly
  /// In memory and in a named cache, so that the next start reads no rows.
  case fullPersistent
}
