/// Gives equal texts equal numbers, byte by byte: é and e with an accent are two.
struct Interning {
  private var numbers: [[UInt8]: Int] = [:]

  /// The number of each text.
  mutating func take(_ texts: [String]) -> [Int] {
    texts.map { number(of: Array($0.utf8)) }
  }

  /// The number of some bytes.
  mutating func number(of bytes: [UInt8]) -> Int {
    if let number = numbers[bytes] { return number }
    numbers[bytes] = numbers.count
    return numbers.count - 1
  }
}
