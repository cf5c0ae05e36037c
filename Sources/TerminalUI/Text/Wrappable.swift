/// Something that shows a cluster and can be wrapped.
protocol Wrappable {
  /// What it shows.
  var shown: Cluster { get }
  /// The same showing something else.
  func showing(_ other: Cluster) -> Self
}

extension Cluster: Wrappable {
  var shown: Cluster { self }

  func showing(_ other: Cluster) -> Cluster { other }
}

/// Where lines may be broken.
enum WrapBorders {
  /// Between words, as text; blanks at a break are not seen.
  case words
  /// Between any two clusters, as code; blanks are kept.
  case clusters
}
