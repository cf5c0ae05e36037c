/// Placeholder until the converter is merged.
extension HTMLText {
  static func markdown(_ html: String) throws(FormatError) -> String { html }
}
