import Journal

/// Names of months and weekdays in the languages in which programs write dates, folded: without
/// case and accents.
///
/// No name means different months in two languages. Short names of weekdays are left out where
/// another language has the same word for a month, such as `mar`.
enum DateVocabulary {
  /// The number of a month by its name, or a usual abbreviation.
  static func month(_ word: String) -> Int? { months[word] }

  /// Whether a word is the name of a weekday, with or without accents.
  static func isWeekday(_ word: String) -> Bool { weekdays.contains(Folding.fold(word)) }

  /// Words between the parts of a date: `5 de enero de 2024`, `5th of January`.
  static let between: Set = ["de", "del", "di", "of", "d"]
  /// Words before a date: `le 5 janvier`, `am 5. Januar`.
  static let before: Set = ["le", "el", "am", "den", "il", "op", "em", "the"]
  /// Words between a date and a time: `5. Januar 2024 um 09:15`, `5 janvier 2024 à 09:15`.
  static let joints: Set = ["t", "at", "um", "a", "as", "alle", "om", "kl", "las"]

  private static let months: [String: Int] = {
    let names = [
      "januar janner jaenner jan janvier janv enero ene gennaio januari janeiro",
      "februar feber feb fevrier fevr fev febrero febbraio februari fevereiro",
      "marz maerz mrz mars marzo maart maerz marco", "april avril avr abril abr aprile",
      "mai mayo maggio mei maio maj", "juni juin junio giugno junho",
      "juli juillet juil julio luglio julho", "august aout agosto ago augustus augusti",
      "september septembre septiembre setiembre settembre setembro sept",
      "oktober okt octobre octubre ottobre outubro",
      "november novembre noviembre novembro",
      "dezember dez decembre diciembre dic dicembre december dezembro",
    ]
    var months: [String: Int] = [:]
    for (index, line) in names.enumerated() {
      for name in line.split(separator: " ") { months[String(name)] = index + 1 }
    }
    return months
  }()

  private static let weekdays = Set(
    """
    montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag di mi do so \
    lundi mardi mercredi jeudi vendredi samedi dimanche \
    lunes martes miercoles jueves viernes sabado domingo \
    lunedi martedi mercoledi giovedi venerdi sabato domenica \
    maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
    """.split { $0 == " " || $0 == "\n" }.map(String.init))
}
