import TestSupport

/// Makes texts like those of a journal kept in several languages and scripts.
struct SampleText {
  private var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  /// A title, mostly a body, and now and then tags.
  mutating func next() -> String {
    let words = SampleText.languages[random.below(SampleText.languages.count)]
    var text = sentence(of: words, length: 3 + random.below(5))
    if random.oneIn(2) { text += " #" + SampleText.tags[random.below(SampleText.tags.count)] }
    if random.oneIn(20) { text += " 🎂" }
    guard !random.oneIn(3) else { return text }
    text += "\n\n"
    for _ in 0...random.below(4) {
      text += sentence(of: words, length: 4 + random.below(10)) + ". "
    }
    if random.oneIn(4) { text += "#" + SampleText.tags[random.below(SampleText.tags.count)] }
    return text
  }

  private mutating func sentence(of words: [String], length: Int) -> String {
    (0..<length).map { _ in words[random.below(words.count)] }.joined(separator: " ")
  }

  private static let tags = [
    "home", "work", "garden", "travel", "@anna", "@jürgen", "книги", "健康", "running", "music",
    "money", "ideas", "dreams", "family", "weather", "kitchen", "letters", "walks", "school", "cat",
  ]

  private static let languages = [
    """
    we walked along the river until it was dark and talked about the house bread letters morning
    rain garden letter friend train window coffee book evening light work tired happy found lost
    bought called finished planted cleaned wrote slept early late winter summer again perhaps
    """,
    """
    heute waren wir im Garten und später über die Brücke nach Hause gegangen Müdigkeit Straße
    Frühstück schön Äpfel gepflückt endlich geschlafen Brief geschrieben Mutter angerufen Regen
    """,
    """
    déjeuner près du marché avec élève naïf garçon où était déjà l’hiver forêt pluie été même
    peut-être travaillé café lettre rêve soirée ancienne maison église château fenêtre
    """,
    """
    сегодня утром было холодно и мы пили чай потом читали книгу письмо вечер дождь город старый
    друг позвонил окно работа устал счастлив поезд зима лето снова
    """,
    """
    σήμερα το πρωί πήγαμε στη θάλασσα και μετά γράμμα βράδυ βροχή φίλος σπίτι δουλειά καλοκαίρι
    """,
    "今天 早上 我们 去了 公园 散步 下午 下雨 在家 看书 喝茶 写信 朋友 来电 话 晚上 很累 但是 高兴",
    "今日は 朝から 雨が 降って いた 図書館 で 本を 読み コーヒー 友達 と 話した 夜 早く 寝た カタカナ",
    "오늘 아침 비가 왔다 친구 와 함께 산책 을 하고 책을 읽었다 저녁 편지 를 썼다 행복 하다",
    "اليوم ذهبنا إلى السوق ثم شربنا القهوة مع الأصدقاء كتاب رسالة مساء مطر بيت عمل سعيد",
  ].map { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
}

extension SeededGenerator {
  /// True in one of `cases` cases.
  mutating func oneIn(_ cases: Int) -> Bool { below(cases) == 0 }
}
