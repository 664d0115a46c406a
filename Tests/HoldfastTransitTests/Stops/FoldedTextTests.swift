import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

@Suite struct FoldedTextTests {
  @Test(arguments: [
    ("Łódź", "lodz"), ("Straße", "strasse"), ("Ærøskøbing", "aeroskobing"),
    ("Señora", "senora"), ("Sen\u{303}ora", "senora"), ("İstanbul", "istanbul"), ("Iğdır", "igdir"),
    ("Việt", "viet"), ("Ἀθῆναι", "αθηναι"), ("مُحَمَّد", "محمد"), ("हिन्दी", "हनद"),
    ("ＪＲ", "jr"), ("ﬁn", "fin"), ("ガ", "カ"), ("カ\u{3099}", "カ"),
    ("각", "\u{1100}\u{1161}\u{11A8}"), ("O’Brien & Co.", "o’brien & co."), ("", ""),
    ("Þórshöfn ĐÐ", "thorshofn dd"),
  ])
  func lettersLoseTheirMarksAndCase(original: String, folded: String) {
    let found = Array(FoldedText(original).text.unicodeScalars)
    #expect(found == Array(folded.unicodeScalars))
  }

  @Test func foldingIsIdempotent() {
    var random = SeededRandom()
    for _ in 0..<2000 {
      let text = String.hostile(using: &random)
      let once = FoldedText(text).text
      #expect(FoldedText(once).text.unicodeScalars.elementsEqual(once.unicodeScalars), "\(text)")
    }
  }

  @Test func onlyTextsThatTheTokenizerFoldsDifferentlyAreIndexed() {
    #expect(FoldedText.index(of: ["Quay", nil, "100"]) == nil)
    #expect(FoldedText.index(of: ["Quay", "Ö1", nil, "Pier"]) == "quay o1 pier")
  }

  @Test func scriptsWithoutSpacesAreRecognized() {
    for text in ["天后廟", "えき", "エキ", "ไทย", "ລາວ", "ខ្មែរ"] {
      #expect(FoldedText(text).hasScriptWithoutBlanks, "\(text)")
    }
    for text in ["Quay", "Łódź", "각", "שלום"] {
      #expect(!FoldedText(text).hasScriptWithoutBlanks, "\(text)")
    }
  }
}
