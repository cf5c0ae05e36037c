import ArgumentParser
import Glibc
import Journal
import Terminal

/// `daybook mcp`: lets other programs read the journal over the Model Context Protocol.
struct MCPCommand: ParsableCommand, WordOrdering {
  static let configuration = CommandConfiguration(
    commandName: "mcp",
    abstract: "Let other programs use the journal, over the protocol MCP.",
    discussion: """
      A server of the Model Context Protocol: a program, such as an assistant, starts it and talks
      JSON-RPC with it over standard input and
      output, one message a line. It can search, list and show entries, and read statistics, tags and
      the days with entries; with --write it can also add entries. Each of them is one step, which
      daybook undo takes back. It ends with its input, and opens no connection.

      With --filter it sees the entries that match, and nothing of the others; it adds only entries
      that match; a field that no entry has is named on standard error. The trash is not seen unless the filter has is:deleted in it. A sealed journal must
      be unlocked by daybook unlock, or by seal.passphrase_command: there is nobody to ask.

      Examples:
        daybook mcp
        daybook mcp --filter '#work -#private'
        daybook mcp --write --journal ~/work.sqlite
      """.reflowed)

  static let wordOrder = WordOrder.plain

  @Flag(help: "Let the other program add entries.") var write = false
  @Option(
    help: ArgumentHelp("Show only the entries that match.", valueName: "query"),
    completion: .query)
  var filter: String?
  @OptionGroup var options: GlobalOptions

  func validate() throws {
    // A script with an empty variable must not open the whole journal.
    guard filter?.allSatisfy(\.isWhitespace) != true else {
      throw ValidationError("--filter needs a query")
    }
    guard !write || !options.readOnly else {
      throw ValidationError("--write or --read-only, not both")
    }
  }

  func run() throws {
    let settings = Configuration.ofUser.settings
    if let filter { _ = try VisibleJournal.filter(filter, settings) }
    // The program that started this one may ignore it, but it must end this one.
    signal(SIGINT, SIG_DFL)
    let output = LiveOutput(signals: try SignalPipe())
    let connection = MCPConnection(input: STDIN_FILENO, output: output)
    let journal = VisibleJournal(
      options.values, filter: filter, canWrite: write, settings, observer: connection)
    // A slip in the filter is told at the start, if the journal can be opened now; the tools say why if not.
    journal.checkFilter()
    do {
      try MCPServer(connection, MCPTool.all(of: journal), instructions: journal.instructions).run()
    } catch let ended as LiveOutput.Ended {
      if ended.code != 0 { throw Failure(exitCode: ended.code, "") }
    }
  }
}
