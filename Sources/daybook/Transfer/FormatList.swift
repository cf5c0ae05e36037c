import JournalFormats

/// The list of formats that `import --formats` prints.
enum FormatList {
  /// Prints the formats, the files of each, and how to get them.
  ///
  /// - Throws: the errors of the output.
  static func print(in context: CommandContext) throws {
    for format in ImportFormat.allCases {
      let guide = format.guide
      try context.print("\(format.rawValue)  \(guide.files)")
      for way in guide.ways { try context.print("    \(way)") }
    }
  }
}
