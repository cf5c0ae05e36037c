extension ThemeColor {
  /// Red, green and blue as `0xRRGGBB`, where nobody but us knows what the 16 colours look like.
  ///
  /// - Parameter palette: the 16 colours of the terminal that is imitated.
  public func value(palette: [UInt32]) -> UInt32 {
    switch self {
    case .palette(let index), .indexed(let index):
      Int(index) < palette.count ? palette[Int(index)] : Self.rgb(of: index)
    case .rgb(let value): value
    }
  }
}
