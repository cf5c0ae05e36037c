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
  /// Day One's JSON and plain text, alone or in a zip, and the files of Day One Classic.
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
    guard case .folder(let folder) = input else { return try reader(input, options) }
    return try FolderSource(folder) { try reader($0, options) }
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
        if let source = JrnlFolderSource(input, options: options) { return source }
        return TextFileSource(input, name: options.name, endings: [".txt", ".journal", ".jrnl"]) {
          bytes, _ in JrnlTextSource(bytes, options: options)
        }
      },
      .tuiJournal: { TuiJournalSource(try $0.stream(for: .tuiJournal), options: $1) },
      .dayOne: { input, options in
        guard case .folder(let folder) = input else {
          return DayOneArchiveSource(try input.stream(for: .dayOne), options: options)
        }
        let photos = DoentrySource.photos(folder.files)
        return TextFileSource(input, name: nil, endings: [".doentry", ".json"]) { bytes, path in
          if path.lowercased().hasSuffix(".doentry") {
            return DoentrySource(bytes, options: options, photos: photos)
          }
          return DayOneArchiveSource(ByteStream(bytes), options: options)
        }
      },
      .markdown: { input, options in
        if let source = JrnlFolderSource(input, options: options) { return source }
        return TextFileSource(input, name: options.name, endings: [".md", ".markdown", ".txt"]) {
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
  /// A file among Markdown: text files may be kaydet's or jrnl's.
  private static func note(
    _ bytes: [UInt8], path: String, _ options: ImportOptions
  ) -> any EntrySource {
    if path.lowercased().hasSuffix(".txt") {
      if KaydetSource.recognises(bytes) {
        return KaydetSource(bytes, path: path, options: options)
      }
      if JrnlTextSource.recognises(bytes) { return JrnlTextSource(bytes, options: options) }
    }
    return MarkdownSource(bytes, path: path, options: options)
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
