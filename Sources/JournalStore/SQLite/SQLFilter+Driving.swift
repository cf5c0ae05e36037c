import Journal

extension Query {
  /// The tag without which nothing can match, if the query names one outside any alternative.
  var neededTag: String? {
    switch self {
    case .tag(let key): key
    case .and(let parts): parts.lazy.compactMap(\.neededTag).first
    default: nil
    }
  }

  /// Whether nothing can match that has no star.
  var needsStar: Bool {
    switch self {
    case .flag(.starred): true
    case .and(let parts): parts.contains(where: \.needsStar)
    default: false
    }
  }
}
