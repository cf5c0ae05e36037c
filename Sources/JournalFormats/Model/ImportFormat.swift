/// The formats an import reads, by the names that `--from` takes.
public enum ImportFormat: String, CaseIterable, Sendable {
  /// Daybook's own JSON and JSON Lines.
  case daybook
  /// `jrnl --format json`.
  case jrnl
  /// jrnl's own text: `[2024-01-05 14:30] Title *`.
  case jrnlText = "jrnl-text"
  /// tui-journal's `entries.json`, and what it exports.
  case tuiJournal = "tui-journal"
  /// Day One's JSON, alone or in a zip.
  case dayOne = "dayone"
  /// Markdown files, a day each or an entry each.
  case markdown
  /// kaydet's text files, a day each.
  case kaydet
}

extension ImportFormat {
  /// The entries of a file or folder of this format.
  ///
  /// Nothing is read before the source's first item.
  ///
  /// - Throws: ``FormatError`` when the format has no folders, or nothing but folders.
  public func source(
    _ input: ImportInput, options: ImportOptions = ImportOptions()
  ) throws -> any EntrySource {
    guard let reader = ImportFormat.readers[self] else {
      throw FormatError("\(rawValue) cannot be imported")
    }
    return try reader(input, options)
  }

  /// The formats there is a reader for.
  public static var readable: [ImportFormat] { allCases.filter { readers[$0] != nil } }

  /// What makes a source of each format: a format is added here, and found in
  /// ``ImportFormat/detect(_:path:)``.
  private static let readers:
    [ImportFormat: @Sendable (ImportInput, ImportOptions) throws -> any EntrySource] = [
      .daybook: { DaybookSource(try $0.stream(for: .daybook), options: $1) },
      .jrnl: { JrnlJSONSource(try $0.stream(for: .jrnl), options: $1) },
      .jrnlText: { input, options in
        TextFileSource(input, name: options.name, endings: [".txt"]) { bytes, _ in
          JrnlTextSource(bytes, options: options)
        }
      },
      .tuiJournal: { TuiJournalSource(try $0.stream(for: .tuiJournal), options: $1) },
      .dayOne: { DayOneArchiveSource(try $0.stream(for: .dayOne), options: $1) },
      .markdown: { input, options in
        TextFileSource(input, name: options.name, endings: [".md", ".markdown", ".txt"]) {
          note($0, path: $1, options)
        }
      },
      .kaydet: { input, options in
        TextFileSource(input, name: options.name, endings: [".txt"]) {
          KaydetSource($0, path: $1, options: options)
        }
      },
    ]
}

extension ImportFormat {
  /// A file among Markdown: text files may be kaydet's.
  private static func note(
    _ bytes: [UInt8], path: String, _ options: ImportOptions
  ) -> any EntrySource {
    let isText = path.lowercased().hasSuffix(".txt")
    guard isText, KaydetSource.recognises(bytes) else {
      return MarkdownSource(bytes, path: path, options: options)
    }
    return KaydetSource(bytes, path: path, options: options)
  }
}

extension ImportInput {
  /// The bytes, where a format is one of single files.
  ///
  /// - Throws: ``FormatError`` for a folder.
  func stream(for format: ImportFormat) throws(FormatError) -> ByteStream {
    guard case .file(let stream) = self else {
      throw FormatError("is a folder, and \(format.rawValue) is a format of files; name a file")
    }
    return stream
  }
}
