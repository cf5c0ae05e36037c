import Foundation
import Testing

/// Many processes on one journal: nothing is lost, nothing twice, and nobody is sent away as busy.
@Suite(.serialized, .waiting)
struct ManyWritersTests {
  private static let writers = 8
  private static let entries = 8

  @Test(
    "what eight parallel writers add is all there, while two screens and a watch look on",
    arguments: ["sqlite", "sealed", "json"])
  func parallel(kind: String) throws {
    let program = try Program()
    let journal = program.home.appending(path: "j.\(kind)").path
    if kind == "sealed" { try SealedProgram.make(journal, program) }
    _ = try program.run(["--journal", journal, "add", "first"])
    let sessions = try (0..<2).map { _ in
      try TerminalSession(program, command: "\(Program.binary.path) --journal \(journal)")
    }
    for session in sessions { try session.wait("the screen") { $0.contains("first") } }
    let result = try program.shell(
      """
      daybook --journal \(journal) watch > $HOME/watch & watch=$!
      for w in $(seq \(Self.writers)); do
        ( for i in $(seq \(Self.entries)); do
            daybook --journal \(journal) add "writer $w entry $i" >> $HOME/numbers || echo "failed: $?"
          done ) & all="$all $!"
      done
      wait $all
      daybook --journal \(journal) add last >> $HOME/numbers
      for _ in $(seq 2000); do grep -q '"title":"last"' $HOME/watch && break; sleep 0.01; done
      kill $watch; wait $watch
      """)
    #expect(result.output == "")
    #expect(result.errors == "")
    let total = 2 + Self.writers * Self.entries
    let lines = try program.run(["--journal", journal, "list", "--format", "jsonl"]).output
    let titles = lines.split(separator: "\n").compactMap { line in
      line.firstMatch(of: /"title":"([^"]*)"/).map { String($0.1) }
    }
    #expect(titles.count == total)
    #expect(Set(titles).count == total)
    #expect(
      try program.run(["--journal", journal, "doctor"]).output == "sound: \(total) entries\n")
    let watched = try String(contentsOf: program.home.appending(path: "watch"), encoding: .utf8)
    #expect(watched.split(separator: "\n").last?.hasSuffix("\"counts\":[\(total)]}") == true)
    for session in sessions { try session.wait("all entries") { $0.contains("of \(total)") } }
  }

  @Test(
    "twenty writers that add, edit, star and delete at once are all served, and nothing is lost",
    arguments: ["sqlite", "sealed", "json"])
  func twenty(kind: String) throws {
    let program = try Program()
    if kind == "sealed" {
      try SealedProgram.make(program.home.appending(path: "j.sealed").path, program)
    }
    let result = try program.shell(
      """
      export DAYBOOK_JOURNAL=$HOME/j.\(kind)
      daybook add first > /dev/null
      for w in $(seq 20); do
        ( n=$(daybook add "writer $w" | cut -f1)
          daybook edit $n "writer $w edited" && daybook star $n && daybook delete $n
          [ $((w % 2)) = 0 ] && daybook restore $n
        ) > /dev/null & all="$all $!"
      done
      wait $all
      daybook list --format jsonl is:starred | grep -o '"title":"[^"]*"' | sort
      daybook list --format jsonl is:deleted | grep -c '"title":"writer [0-9]*[13579] edited"'
      daybook doctor
      for n in $(seq 2 21); do daybook history $n | wc -l; done | sort | uniq -c | tr -d ' '
      """)
    #expect(result.errors == "")
    let lines = result.output.split(separator: "\n").map(String.init)
    let even = stride(from: 2, through: 20, by: 2).map { "\"title\":\"writer \($0) edited\"" }
    #expect(lines.prefix(10).sorted() == even.sorted())
    #expect(Array(lines.dropFirst(10)) == ["10", "sound: 11 entries", "202"])
  }

  @Test(
    "writers killed at any moment lose nothing that was acknowledged",
    arguments: ["sqlite", "sealed", "json"])
  func killed(kind: String) throws {
    let program = try Program()
    let journal = program.home.appending(path: "j.\(kind)").path
    if kind == "sealed" { try SealedProgram.make(journal, program) }
    let result = try program.shell(
      """
      for round in $(seq 12); do
        for w in 1 2; do
          ( for i in $(seq 50); do \(Program.binary.path) --journal \(journal) add "r$round w$w i$i" \
              >> $HOME/acknowledged || exit; done ) 2>/dev/null & eval "w$w=$!"
        done
        sleep 0.$((RANDOM % 3))$((RANDOM % 10))
        pkill -9 -P $w1; pkill -9 -P $w2; kill -9 $w1 $w2; wait
      done 2>/dev/null
      sleep 0.2
      """)
    #expect(result.code == 0)
    let acknowledged = try String(
      contentsOf: program.home.appending(path: "acknowledged"), encoding: .utf8
    ).split(separator: "\n").compactMap { $0.split(separator: "\t").last.map(String.init) }
    let list = try program.run(["--journal", journal, "list", "--format", "jsonl"]).output
    let uuids = list.split(separator: "\n").compactMap { line in
      line.firstMatch(of: /"uuid":"([^"]*)"/).map { String($0.1) }
    }
    #expect(!acknowledged.isEmpty)
    // The last line may have been cut by the kill.
    #expect(Set(acknowledged.filter { $0.count == 36 }).isSubset(of: uuids))
    #expect(Set(uuids).count == uuids.count)
    let doctor = try program.run(["--journal", journal, "doctor", "--fix"])
    #expect(
      doctor.output.hasSuffix("sound: \(uuids.count) \(uuids.count == 1 ? "entry" : "entries")\n"))
  }

  @Test("thousands of numbers come from standard input; what is no number changes nothing")
  func numbers() throws {
    let program = try Program()
    let result = try program.shell(
      #"""
      j=$HOME/j.json
      { printf '{"format":"daybook","version":1,"entries":['
        for i in $(seq 3000); do
          [ $i = 1 ] || printf ','
          printf '{"text":"entry %s","created":"2026-11-21T10:00:00+00:00"}' $i
        done; printf ']}'; } > $j
      seq 3000 | daybook --journal $j delete -
      printf '1 2 banana 3' | daybook --journal $j restore -; echo $?
      daybook --journal $j list --format jsonl is:deleted | head -1 | cut -c1-8
      echo ${PIPESTATUS[0]}
      """#)
    #expect(result.output == "3000\n1\n{\"uuid\":\n0\n")
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(result.errors.contains("banana"))
  }
}
