/// A cluster with its look, and where in the source it comes from.
public struct StyledCluster: Hashable, Sendable {
  /// What is shown.
  public var cluster: Cluster
  /// How it looks.
  public var style: Style
  private var place: Int32

  /// Makes a cluster with a look.
  ///
  /// - Parameter source: the byte of the source at which it begins; nil for what the source does not
  ///   have, such as the bar of a quote.
  public init(_ cluster: Cluster, style: Style = Style(), source: Int? = nil) {
    self.cluster = cluster
    self.style = style
    place = source.map { Int32(clamping: $0) } ?? -1
  }

  /// The byte of the source at which it begins; nil for what the source does not have.
  public var source: Int? { place < 0 ? nil : Int(place) }
}

extension StyledCluster: Wrappable {
  var shown: Cluster { cluster }

  func showing(_ other: Cluster) -> StyledCluster {
    StyledCluster(other, style: style, source: source)
  }
}
