/// A thing that stands for a number of rows.
protocol Weighted {
  /// How many.
  var weight: Int { get }
}
