import Foundation

/// Makes the manual page from `daybook --experimental-dump-help` on standard input.
@main
enum Main {
  static func main() throws {
    let bytes = try FileHandle.standardInput.readToEnd() ?? Data()
    let dump = try JSONDecoder().decode(CommandDescription.Document.self, from: bytes)
    let page = ManualPage(root: dump.command).text
    try FileHandle.standardOutput.write(contentsOf: Data(page.utf8))
  }
}
