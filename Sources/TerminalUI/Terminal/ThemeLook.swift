/// What a theme makes of a role: colours and attributes.
public struct ThemeLook: Hashable, Sendable {
  /// The colour of the text, nil for the terminal's own.
  public var foreground: ThemeColor?
  /// The colour behind the text, nil for the terminal's own.
  public var background: ThemeColor?
  /// Whether it is bold.
  public var bold = false
  /// Whether it is dim.
  public var dim = false
  /// Whether it is underlined.
  public var underline = false
  /// Whether text and background change places.
  public var reverse = false

  /// Makes a look that changes nothing.
  public init() {}

  /// Reads words such as `bold cyan on blue`, `underline`, `reverse #d08770`, `default`; nil when
  /// one of them means nothing.
  public init?(_ text: String) {
    var isBackground = false
    for word in text.split(separator: " ") {
      switch word.lowercased() {
      case "bold": bold = true
      case "dim": dim = true
      case "underline": underline = true
      case "reverse": reverse = true
      case "default", "normal": break
      case "on":
        isBackground = true
        continue
      default:
        guard let color = ThemeColor(String(word)) else { return nil }
        if isBackground { background = color } else { foreground = color }
      }
      isBackground = false
    }
  }
}
