import Journal
import JournalFormats
import Testing

/// An entry on one line: day, time, star, text, tags, fields and what is not kept.
func line(_ entry: ImportedEntry) -> String {
  var parts = ["\(entry.day ?? entry.created.localDay) \(entry.created.clockText)"]
  if entry.starred { parts[0] += " *" }
  parts.append(entry.text.replacing("\n", with: "⏎"))
  if !entry.tags.isEmpty { parts.append(entry.tags.map { "#\($0)" }.joined(separator: " ")) }
  parts += entry.fields.map { "\($0.name):: \($0.value)" }
  parts += entry.unkept.map { "-\($0)" }
  return parts.joined(separator: " | ")
}

/// All items of a source, an entry by ``line(_:)``.
func summary(_ source: some EntrySource) -> [String] {
  items(source).map { item in
    switch item {
    case .entry(let entry, _): line(entry)
    case .problem(let error): "! \(error.place): \(error.reason)"
    case .doubt(let reason, let place): "? \(place): \(reason)"
    case .passedBy(let reason, _): "- \(reason)"
    case .leftOut(let kind): "- \(kind)"
    }
  }
}

/// A damaged file is read to its end, and a file of one thing in linear time.
func survives(_ sample: String, _ read: ([UInt8]) -> any EntrySource) {
  let bytes = utf8(sample)
  for cut in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 24)) {
    drain(read(Array(bytes[..<cut])))
    drain(read(Array(bytes[..<cut]) + [0xFF, 0x00, 0xC3] + Array(bytes[cut...])))
    drain(read(Array(bytes[cut...])))
  }
  let nasties = [
    "*", "**", "* a\n", "** a\n", "[", "[[", "[[a]]", "{", "{{", "{{{\n", "/", "//", "_", "__a",
    "=", "== a ==\n", "~", "`", "```\n", "'''\n", "\"\"", "\n", " ", "\t", "- a\n", " - a\n", "|",
    "| a |\n", ":", ":a:", ":PROPERTIES:\n", "#+begin_src\n", "#+end_src\n", "<", "<<<\n", "!",
    "!!a",
    "2024-01-05 a\n", "1:\n", "&", "\\", "$", "--", "http://", "(", "((", "\u{0}", "日", "a", "1",
    "E",
  ]
  for nasty in nasties {
    drain(read(utf8(String(repeating: nasty, count: 5_000 / nasty.utf8.count))))
  }
}

private func drain(_ source: any EntrySource) {
  var source = source
  var count = 0
  do {
    while let item = try source.next() {
      count += 1
      if case .entry(let entry, _) = item { _ = try? entry.entry() }
      if count > 20_000 { return }
    }
  } catch {}
}
