import Foundation
import Holdfast
import HoldfastTestSupport
import HoldfastTransit
import Testing

@Suite struct StopSearchTests {
  let feed: SmallFeed

  init() throws { feed = try SmallFeed() }

  // MARK: Errors of older sanitizers

  private static let troublesomeNames = [
    "TORONTO", "NORTH SYDNEY", "VICTORIA", "CONCORD", "SANDRINGHAM", "ORAN PARK", "ANDOVER",
    "LAND", "Landing", "Labrador", "L Street", "NOR", "Norwood", "O'Brien", "Central - Platform",
    "Central-Platform", "St: Ives", "(Stand", "Bankstown (Stand A)", "NEAR(a b)", "NOT",
    "NOT Point", "Central NOT", "C++", "100% Pier", "a/b", "a&b", "a=b", "OR", "AND",
    "AND street", "a AND", "Circular Quay", "Circular NOT Quay", "name:x", "sid:1",
    "Old \"Anchor\"",
  ]

  /// ST-B2, ST-B3: such texts were errors, or had another meaning.
  @Test(arguments: troublesomeNames)
  func aNameWithOperatorsIsFound(name: String) throws {
    let timetable = try feed.timetable(named: Self.troublesomeNames)
    let found = try timetable.names(for: name)
    #expect(found.first == name, "\(found)")
    #expect(try timetable.names(for: name.lowercased()).contains(name))
  }

  /// ST-B1: the letters OR and AND were removed inside of words.
  @Test func lettersInsideWordsAreNotOperators() throws {
    let timetable = try feed.timetable(named: Self.troublesomeNames)
    #expect(try timetable.names(for: "TORONTO") == ["TORONTO"])
    #expect(try timetable.names(for: "NORTH SYDNEY") == ["NORTH SYDNEY"])
    #expect(try timetable.names(for: "ANDOVER") == ["ANDOVER"])
    #expect(try timetable.names(for: "LAND") == ["LAND", "Landing"])
    #expect(try timetable.names(for: "NOR") == ["NOR", "Norwood", "NORTH SYDNEY"])
  }

  /// ST-B4: quotation marks, hyphens and colons separate words.
  @Test(arguments: [
    "Central-Platform", "Central - Platform", "central platform", "platform: central",
  ])
  func punctuationBetweenWordsDoesNotMatter(text: String) throws {
    let timetable = try feed.timetable(named: Self.troublesomeNames)
    let found = try timetable.names(for: text)
    #expect(found.sorted() == ["Central - Platform", "Central-Platform"])
  }

  /// ST-B3: NOT excluded words, and OR and AND at the end were errors.
  @Test func operatorsAreTreatedAsWords() throws {
    let timetable = try feed.timetable(named: Self.troublesomeNames)
    #expect(try timetable.names(for: "circular NOT quay") == ["Circular NOT Quay"])
    #expect(try timetable.names(for: "circular quay").count == 2)
    #expect(try timetable.names(for: "NOT").sorted().first == "Central NOT")
    #expect(try timetable.names(for: "circular OR toronto") == [])
    #expect(try timetable.names(for: "NEAR(a b)") == ["NEAR(a b)"])
    // First the name itself, then names with this prefix, then all others.
    #expect(try timetable.names(for: "AND") == ["AND", "ANDOVER", "AND street", "a AND"])
  }

  /// ST-B2: such a text searched in one column only.
  @Test func aColumnFilterIsTreatedAsAWord() throws {
    let timetable = try feed.timetable(named: Self.troublesomeNames)
    #expect(try timetable.names(for: "name:x") == ["name:x"])
    #expect(try timetable.names(for: "sid:1") == ["sid:1"])
    #expect(try timetable.names(for: "{name}:circular") == [])
    #expect(try timetable.names(for: "^quay").sorted() == ["Circular NOT Quay", "Circular Quay"])
    #expect(try timetable.names(for: "circ* qu*").count == 2)
  }

  @Test(arguments: [
    "\0", "\0\0", "Cir\0cular", "circular\0", "\"", "\"\"", "'", "*", "**", "^", ":", "-", "+", "(",
    "()", ".", ",", ";", "=", "\\", "\u{301}", "😀", "", " ", "\n\t", "NEAR/2", "a NEAR b", "C++ ++",
  ])
  func noTextCausesAnError(text: String) throws {
    let timetable = try feed.timetable(named: Self.troublesomeNames)
    #expect(try timetable.names(for: text).count <= Self.troublesomeNames.count)
  }

  /// ST-B4: a NUL ended the text inside of a quotation.
  @Test func aNULSeparatesWords() throws {
    let timetable = try feed.timetable(named: ["Circular Quay", "Central"])
    #expect(try timetable.names(for: "circ\0quay\0") == ["Circular Quay"])
    #expect(try timetable.names(for: "\0\u{301}circ") == ["Circular Quay"])
    #expect(try timetable.names(for: "\0") == [])
  }

  /// ST-B5: with a stemming tokenizer, 40 of 40 common words had such a prefix.
  @Test func everyPrefixOfAWordFindsItsStop() throws {
    // With a stemming tokenizer, some prefix of each word would not find it.
    let words = [
      "University", "Hospital", "Terminal", "International", "National", "Shopping", "Station",
      "Library", "General", "Business", "Universal", "Operations", "Happiness", "Crossing",
    ]
    let timetable = try feed.timetable(named: words)
    for word in words {
      for length in 1...word.count {
        let beginning = String(word.prefix(length))
        #expect(try timetable.names(for: beginning).contains(word))
        // The index alone finds it, as used by other readers of the file.
        let found = try timetable.reader.read { db in
          try String.fetchAll(
            db, sql: "SELECT name FROM stops_fts WHERE stops_fts MATCH ?",
            arguments: ["\(beginning)*"])
        }
        #expect(found.contains(word))
      }
    }
  }

  // MARK: Searched fields

  /// ST-4: the last word is a prefix, and so are the others.
  @Test(arguments: ["circ", "quay circ", "CIRCULAR", "circular-q", "  quay   CIRC "])
  func theQuayOfTheSampleIsFound(text: String) throws {
    let timetable = try feed.timetable(named: ["Circular Quay", "Quayside", "Circus", "Central"])
    #expect(try timetable.names(for: text).contains("Circular Quay"))
    #expect(!(try timetable.names(for: text).contains("Central")))
  }

  @Test func wordsOfCodeAndStationFindAStop() throws {
    let timetable = try feed.timetable(of: [
      .init(id: "C", name: "Central", type: 1),
      .init(id: "C1", name: "Platform 1", code: "20071", parent: "C"),
      .init(id: "C2", name: "Platform 2", code: "Ö-2", parent: "C"),
      .init(id: "T1", name: "Town Hall, Platform 1", code: "30071"),
    ])
    #expect(try timetable.names(for: "central platform 1") == ["Platform 1"])
    #expect(try timetable.names(for: "1 platf CENT") == ["Platform 1"])
    #expect(try timetable.names(for: "2007") == ["Platform 1"])
    #expect(try timetable.names(for: "o 2") == ["Platform 2"])
    #expect(try timetable.names(for: "platform 1") == ["Platform 1", "Town Hall, Platform 1"])
  }

  @Test(arguments: [
    ("Łódź Street", ["lodz", "Łódź", "łodz", "LÓDŹ", "\u{141}o\u{301}dz\u{301}", "street lo"]),
    ("Lodz Street", ["lodz", "Łódź"]),
    ("Straße", ["strasse", "STRASSE", "straße", "Straß"]),
    ("Rue des Pêcheurs", ["pecheurs", "pêch", "pe\u{302}ch"]),
    ("Rue des Pe\u{302}cheurs", ["pecheurs", "pêch", "pe\u{302}ch"]),
    ("ガーデン", ["ガー", "カ\u{3099}ー"]), ("カ\u{3099}ーデン", ["ガー", "カ\u{3099}ー"]),
    ("강남", ["강남", "강", "\u{1100}\u{1161}\u{11BC}"]),
    ("\u{1100}\u{1161}\u{11BC}남", ["강남", "강", "\u{1100}\u{1161}\u{11BC}"]),
    ("Ἀθῆναι", ["αθηναι", "ΑΘΗ", "Ἀθ"]), ("مُحَمَّد", ["محمد", "مُح"]),
    ("हिन्दी नगर", ["हि", "हिन्दी", "नगर हि"]),
    ("ＪＲ函館駅", ["jr", "ＪＲ", "函館"]), ("O’Brien", ["o'brien", "brien o"]),
  ])
  func spellingDoesNotMatter(name: String, texts: [String]) throws {
    let timetable = try feed.timetable(named: [name, "Elsewhere"])
    for text in texts {
      #expect(try timetable.names(for: text) == [name], "\(text)")
    }
  }

  @Test func scriptsWithoutSpacesAreSearchedInsideWords() throws {
    let timetable = try feed.timetable(named: ["天后廟", "廟街", "函館駅前", "駅前", "Quay"])
    #expect(try timetable.names(for: "廟") == ["廟街", "天后廟"])
    #expect(try timetable.names(for: "駅前") == ["駅前", "函館駅前"])
    #expect(try timetable.names(for: "后") == ["天后廟"])
    #expect(try timetable.names(for: "廟", limit: 1) == ["廟街"])
    let temples = try feed.timetable(named: ["天后廟", "廟街", "大廟", "Quay"])
    #expect(try temples.names(for: "廟", limit: 2) == ["廟街", "大廟"])
    // Other scripts are searched by substring only when no word has the prefix.
    #expect(try timetable.names(for: "uay") == ["Quay"])
  }

  /// Readings are typed in hiragana, and feeds have them in katakana, some of half the width.
  @Test(arguments: [
    ("にしはち", ["ニシハチオウジ"]), ("ﾆｼﾊﾁ", ["ニシハチオウジ"]), ("じえき", ["ﾋﾉｼﾞｴｷ"]),
    ("ミナト", ["ミナトミライ", "みなとみらい"]), ("みなと", ["みなとみらい", "ミナトミライ"]),
    ("みらい", ["みなとみらい", "ミナトミライ"]), ("みさき", []),
  ])
  func bothKindsOfKanaFindAName(text: String, names: [String]) throws {
    let timetable = try feed.timetable(
      named: ["みなとみらい", "ニシハチオウジ", "ﾋﾉｼﾞｴｷ", "ミナトミライ"])
    #expect(try timetable.names(for: text) == names)
    #expect(try timetable.names(for: text, limit: 1) == Array(names.prefix(1)))
  }

  @Test func aNameWithoutLettersIsFoundByItsSymbols() throws {
    let timetable = try feed.timetable(named: ["***", "- -", "☺", "Quay"])
    #expect(try timetable.names(for: "***") == ["***"])
    #expect(try timetable.names(for: "☺") == ["☺"])
    #expect(try timetable.names(for: "- -") == ["- -"])
  }

  // MARK: Order and limit

  @Test func theBestMatchIsFirst() throws {
    let timetable = try feed.timetable(of: [
      .init(id: "1", name: "Old Central"),
      .init(id: "2", name: "Central Park Zoo"),
      .init(id: "3", name: "Central Park"),
      .init(id: "4", name: "Central"),
      .init(id: "5", name: "Centralia"),
      .init(id: "6", name: "Central Station West", type: 1),
      .init(id: "7", name: "North Central Junction", type: 1),
      .init(id: "8", name: "«Central»"),
    ])
    #expect(
      try timetable.names(for: "central") == [
        "Central", "«Central»", "Central Station West", "Centralia", "Central Park",
        "Central Park Zoo", "North Central Junction", "Old Central",
      ])
    #expect(try timetable.names(for: "park central") == ["Central Park", "Central Park Zoo"])
  }

  /// ST-4: at most 50 stops, and none for a blank text.
  @Test func theLimitIsRespected() throws {
    let timetable = try feed.timetable(named: (100..<200).map { "Stop \($0)" })
    #expect(try timetable.names(for: "stop").count == 100 / 2)
    #expect(try timetable.names(for: "stop", limit: 3) == ["Stop 100", "Stop 101", "Stop 102"])
    #expect(try timetable.names(for: "top", limit: 3).count == 3)
    #expect(try timetable.names(for: "stop", limit: 0) == [])
    #expect(try timetable.names(for: "stop", limit: -1) == [])
    #expect(try timetable.names(for: "stop", limit: .max).count == 100)
  }

  @Test func aLongTextIsSearchedQuickly() throws {
    let timetable = try feed.timetable(named: Self.troublesomeNames)
    let long = [
      String(repeating: "circular ", count: 10_000), String(repeating: "a", count: 10_000),
      String(repeating: "a-", count: 5_000), String(repeating: "\"", count: 10_000),
      (0..<100_000).map(String.init).joined(separator: " "),
      (0..<140).map { "a" + String(repeating: "-", count: $0) }.joined(separator: " "),
    ]
    #expect(try timetable.names(for: long[0]).sorted() == ["Circular NOT Quay", "Circular Quay"])
    for text in long.dropFirst() {
      #expect(try timetable.names(for: text).count <= 50)
    }
  }
}
