import Glibc

/// The benchmark, or one of the programs that it measures by starting itself again.
@main
enum Main {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case FloorProgram.option: exit(FloorProgram.run())
    case WriterProgram.option:
      do {
        try WriterProgram.run(Array(arguments.dropFirst()))
      } catch {
        Console.tell("\(error)")
        exit(1)
      }
    default: BenchCommand.main()
    }
  }
}
