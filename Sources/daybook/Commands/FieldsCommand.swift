import ArgumentParser
import Journal
import JournalStore
import Screen
import TextLayout

/// `daybook fields`: the fields in use.
struct FieldsCommand: JournalCommand {
  static let configuration = CommandConfiguration(
    commandName: "fields", abstract: "Print the fields in use with their counts.",
    discussion: """
      "mood:: 4", "slept:: 7h20" or "[cost:: 12.50 €]" in a text is a field. As text: a line for each name,
      with the number of its values, the name, and the kinds of values. "daybook stats --field run" has
      the sums of one.

      Examples:
        daybook fields
        daybook fields --format json
      """.reflowed)

  @Option(help: "The output format.") var format: AddCommand.Format = .text
  @OptionGroup var options: GlobalOptions
  @OptionGroup var pager: PagerOptions

  func run(in context: CommandContext) throws {
    let names = try context.store(for: .reading).fieldNames()
    let output = context.output
    if names.isEmpty { context.hint("no fields yet") }
    try context.paging(pager) {
      if format == .json {
        try output.line(Self.json(names), isSafe: true)
      } else {
        for name in names {
          let count = TextFit.pad("\(name.count)", columns: 5, atRight: true)
          let kinds = Self.kinds(name).map { kind, count in
            Numbers.counted(count, kind.nounOfOne, kind.noun)
          }.joined(separator: ", ")
          try output.line("\(count) \(Sanitizing.line(name.name)): \(kinds)")
        }
      }
      try output.flush()
    }
  }

  private static func kinds(_ name: FieldName) -> [(kind: FieldValue.Kind, count: Int)] {
    FieldValue.Kind.allCases.compactMap { kind in
      name.kinds[kind].map { (kind, $0) }
    }
  }

  private static func json(_ names: [FieldName]) -> String {
    var bytes: [UInt8] = []
    JSONValue.array(
      names.map { name in
        .object(
          [
            JSONMember("field", .string(name.name)), JSONMember("count", .number("\(name.count)")),
          ] + kinds(name).map { JSONMember($0.kind.noun, .number("\($0.count)")) })
      }
    ).append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
