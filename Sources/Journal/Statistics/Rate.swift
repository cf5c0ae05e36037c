/// A count over a number of things, such as entries a day, without floating point: its text is the
/// same on every machine.
public struct Rate: Hashable, Sendable {
  /// What is counted.
  public var count: Int
  /// Over how many; 0 makes the rate 0.
  public var per: Int

  /// Makes a rate.
  public init(_ count: Int, per: Int) {
    self.count = count
    self.per = per
  }

  /// The rate in hundredths, rounded half up.
  public var hundredths: Int {
    guard per > 0 else { return 0 }
    let (quotient, remainder) = count.quotientAndRemainder(dividingBy: per)
    return quotient * 100 + (remainder * 200 + per) / (2 * per)
  }
}

extension Rate: CustomStringConvertible {
  /// Two decimals, as JSON takes them: `0.53`.
  public var description: String {
    "\(hundredths / 100).\(Digits.padded(hundredths % 100))"
  }
}
