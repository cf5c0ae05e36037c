// SPDX-License-Identifier: MIT

/// A sum of numbers without rounding, from which numbers can be taken out again.
///
/// Sums of `Double` depend on their order, and adding and subtracting a value leaves an error behind.
/// Here reals are added in fixed point, wide enough for every `Double`, and rounded once, when
/// ``value`` is read. So a sum that follows a million changes equals one that is computed at once.
struct ExactSum {
  /// Digits in base 2³² of the sum of the reals, in units of 2⁻¹⁰⁷⁴, each with a sign; empty while
  /// there are no reals.
  private var digits: [Int64] = []
  /// The number of additions since the digits were carried.
  private var additions = 0
  private var integers: Int128 = 0
  private var reals = 0
  private var infinities = (positive: 0, negative: 0)

  /// The exponent of the unit: that of the least `Double`.
  private static var unit: Int { -1_074 }
  /// Room for 2⁶⁴ times the greatest `Double`.
  private static var digitCount: Int { 70 }
  /// The number of additions after which a digit could overflow.
  private static var mostAdditions: Int { 1 << 29 }

  /// Adds a number some times, or takes it out if `times` is negative; ignores what is no number.
  mutating func add(_ value: SortValue, times: Int) {
    switch value {
    case .integer(let integer): integers += Int128(integer) * Int128(times)
    case .real(let real) where real.isInfinite:
      if real > 0 { infinities.positive += times } else { infinities.negative += times }
    case .real(let real) where !real.isNaN: add(real, times)
    case .real, .null, .text, .blob: break
    }
  }

  /// Adds another sum.
  mutating func add(_ other: ExactSum) {
    integers += other.integers
    infinities.positive += other.infinities.positive
    infinities.negative += other.infinities.negative
    reals += other.reals
    guard !other.digits.isEmpty else { return }
    if digits.isEmpty {
      digits = other.digits
      additions = other.additions
    } else {
      carry()
      var other = other
      other.carry()
      for index in digits.indices { digits[index] += other.digits[index] }
      additions = 2
    }
  }

  private mutating func add(_ real: Double, _ times: Int) {
    reals += times
    guard reals != 0 else {
      digits = []
      additions = 0
      return
    }
    if digits.isEmpty { digits = Array(repeating: 0, count: Self.digitCount) }
    let bits = real.magnitude.bitPattern
    let exponent = Int(bits >> 52)
    let fraction = Int128(bits & (1 << 52 - 1))
    let significand = exponent == 0 ? fraction : fraction + (1 << 52)
    add(
      (real.sign == .minus ? -significand : significand) * Int128(times),
      at: max(0, exponent - 1))
  }

  /// Adds a number of units, shifted by some bits.
  private mutating func add(_ number: Int128, at bit: Int) {
    let sign: Int64 = number < 0 ? -1 : 1
    var rest = number.magnitude
    var index = bit / 32
    while rest != 0 {
      let shifted = UInt64(truncatingIfNeeded: rest & 0xFFFF_FFFF) << UInt64(bit % 32)
      digits[index] += sign * Int64(shifted & 0xFFFF_FFFF)
      digits[index + 1] += sign * Int64(shifted >> 32)
      rest >>= 32
      index += 1
    }
    additions += 1
    if additions == Self.mostAdditions { carry() }
  }

  /// Makes every digit but the highest one non-negative and less than 2³².
  private mutating func carry() {
    for index in digits.indices.dropLast() {
      digits[index + 1] += digits[index] >> 32
      digits[index] &= 0xFFFF_FFFF
    }
    additions = 1
  }

  /// The sum, rounded once: an integer if all numbers are and it has room, else a real; 0 for no
  /// numbers, `null` for both infinities.
  var value: SortValue {
    switch (infinities.positive > 0, infinities.negative > 0) {
    case (true, true): return .null
    case (true, false): return .real(.infinity)
    case (false, true): return .real(-.infinity)
    case (false, false): break
    }
    guard reals > 0 else {
      return Int64(exactly: integers).map(SortValue.integer) ?? .real(Double(integers))
    }
    var total = self
    total.add(integers, at: -Self.unit)
    return .real(total.rounded)
  }

  /// The digits as the nearest `Double`.
  private var rounded: Double {
    var total = self
    total.carry()
    let isNegative = total.digits.last.map { $0 < 0 } ?? false
    if isNegative {
      for index in total.digits.indices { total.digits[index].negate() }
      total.carry()
    }
    let digits = total.digits
    guard let highest = digits.lastIndex(where: { $0 != 0 }) else { return 0 }
    // The highest 64 bits from the three highest digits; what is below them only breaks ties.
    var bits: UInt128 = 0
    for index in stride(from: highest, through: highest - 2, by: -1) {
      bits = bits << 32 | UInt128(index >= 0 ? digits[index] : 0)
    }
    let shift = max(0, 64 - bits.leadingZeroBitCount)
    let isInexact =
      bits & (1 << UInt128(shift) - 1) != 0
      || digits.prefix(max(0, highest - 2)).contains { $0 != 0 }
    let top = UInt64(truncatingIfNeeded: bits >> UInt128(shift)) | (isInexact ? 1 : 0)
    let exponent = 32 * (highest - 2) + shift + Self.unit
    return Double(
      sign: isNegative ? .minus : .plus, exponent: exponent, significand: Double(top))
  }
}
