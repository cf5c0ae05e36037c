import TestSupport

/// Random SQL over a table with unique columns, so that `REPLACE` evicts other rows.
struct RandomStatements {
  /// 0: integer identities, 1: text without rowid, 2: blobs.
  let kind: Int

  var table: String {
    let id = [
      "id INTEGER PRIMARY KEY", "id TEXT PRIMARY KEY NOT NULL", "id BLOB PRIMARY KEY NOT NULL",
    ][kind]
    return """
      CREATE TABLE item (
        \(id), section TEXT, key, rank REAL NOT NULL DEFAULT 1.5,
        code TEXT COLLATE NOCASE UNIQUE ON CONFLICT ABORT, hidden INTEGER NOT NULL DEFAULT 0
      )\(kind == 1 ? " WITHOUT ROWID" : "");
      CREATE UNIQUE INDEX hidden_pair ON item (section, rank) WHERE hidden
      """
  }

  /// A few statements, one of them perhaps in a savepoint that is rolled back.
  func transaction(_ random: inout SeededGenerator) -> [String] {
    (0..<Int.random(in: 1...4, using: &random)).flatMap { _ in
      let statement = statement(&random)
      return random.chance(0.08)
        ? ["SAVEPOINT s", statement, "ROLLBACK TO s", "RELEASE s"] : [statement]
    }
  }

  private func id(_ random: inout SeededGenerator) -> String {
    let number = Int.random(in: 1...14, using: &random)
    return [
      "\(number)", "'\(number % 2 == 0 ? "É" : "e\u{301}")\(number)'", "x'0\(number % 8)FF'",
    ][kind]
  }

  private func key(_ random: inout SeededGenerator) -> String {
    [
      "NULL", "0", "1", "2", "2.5", "-1", "'a'", "'b'", "'É'", "'e\u{301}'", "x'00'", "x'6100'",
    ].randomElement(using: &random) ?? ""
  }

  private func section(_ random: inout SeededGenerator) -> String {
    ["NULL", "'a'", "'b'", "'B'", "'ü'"].randomElement(using: &random) ?? ""
  }

  private func code(_ random: inout SeededGenerator) -> String {
    ["NULL", "'x'", "'X'", "'y'", "'z'", "'w'"].randomElement(using: &random) ?? ""
  }

  private func rank(_ random: inout SeededGenerator) -> String {
    ["1", "1.5", "-2e10", "3", "NULL"].randomElement(using: &random) ?? ""
  }

  private func values(_ random: inout SeededGenerator) -> String {
    let id = kind == 0 && random.chance(0.3) ? "NULL" : id(&random)
    let hidden = random.chance(0.25) ? 1 : 0
    return
      "(\(id), \(section(&random)), \(key(&random)), \(rank(&random)), \(code(&random)), \(hidden))"
  }

  private func assignment(_ random: inout SeededGenerator) -> String {
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1: "key = \(key(&random))"
    case 2: "section = \(section(&random))"
    case 3: "rank = \(rank(&random))"
    case 4: "code = \(code(&random))"
    case 5: "hidden = 1 - hidden"
    case 6: "id = \(id(&random)), key = 7"
    default: "key = key"
    }
  }

  private func condition(_ random: inout SeededGenerator) -> String {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: "section IS \(section(&random))"
    case 1: "hidden"
    default: "id = \(id(&random))"
    }
  }

  private func statement(_ random: inout SeededGenerator) -> String {
    let conflict =
      ["", "OR REPLACE", "OR REPLACE", "OR IGNORE", "OR FAIL"].randomElement(using: &random) ?? ""
    switch Int.random(in: 0..<20, using: &random) {
    case 0...6: return "INSERT \(conflict) INTO item VALUES \(values(&random))"
    case 7:
      return """
        INSERT INTO item VALUES \(values(&random)) ON CONFLICT (code) DO UPDATE SET \
        key = excluded.key, section = excluded.section
        """
    case 8: return "REPLACE INTO item VALUES \(values(&random)), \(values(&random))"
    case 9:
      return "INSERT OR REPLACE INTO item SELECT * FROM item WHERE \(condition(&random))"
    case 10...16:
      return "UPDATE \(conflict) item SET \(assignment(&random)) WHERE \(condition(&random))"
    case 17, 18: return "DELETE FROM item WHERE \(condition(&random))"
    default: return random.chance(0.2) ? "DELETE FROM item" : "UPDATE item SET key = NULL"
    }
  }
}
