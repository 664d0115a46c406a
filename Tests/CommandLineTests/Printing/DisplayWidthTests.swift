import HoldfastTestSupport
import Testing

@testable import HoldfastTool

@Suite struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("Quay", 4), ("Zürich", 6), ("Zu\u{308}rich", 6), ("東京", 4), ("서울", 4),
    ("\u{1109}\u{1165}\u{110B}\u{116E}\u{11AF}", 4), ("Ｆｕｌｌ", 8), ("ｶﾅ", 2), ("🚋", 2), ("🇨🇭", 2),
    ("👩‍👧", 2), ("❤️", 2), ("❤", 1), ("👍🏽", 2), ("a\u{200B}b", 2), ("שלום", 4), ("…", 1), ("𠀀", 2),
  ])
  func theWidthIsThatOnATerminal(text: String, columns: Int) {
    #expect(text.displayWidth == columns)
  }

  /// The width of most letters is known without the division into characters.
  @Test func theWidthIsThatOfTheCharacters() {
    let scalars: [ClosedRange<UInt32>] = [
      0x20...0x7E, 0xA0...0x700, 0x900...0xA00, 0xE00...0xE7F, 0x1100...0x1200, 0x1E00...0x20FF,
      0x2300...0x27BF, 0x2E80...0x3400, 0x4E00...0x4E40, 0xAC00...0xAC40, 0xFE00...0xFFEF,
      0x1F1E6...0x1F1FF, 0x1F3F0...0x1F4FF, 0x20000...0x20010, 0xE0061...0xE007F, 0x200D...0x200D,
    ]
    var random = SeededRandom()
    for _ in 0..<20_000 {
      var text = ""
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let range = scalars.randomElement(using: &random) ?? 0x20...0x7E
        guard let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) else {
          continue
        }
        text.unicodeScalars.append(scalar)
      }
      let characters = text.map(\.displayWidth).reduce(0, +)
      #expect(text.displayWidth == characters, "\(text.unicodeScalars.map(\.value))")
    }
  }

  @Test(arguments: [
    ("Quay", 4, "Quay"), ("Quay", 3, "Qu…"), ("Quay", 1, "…"), ("Quay", 0, ""),
    ("東京駅", 6, "東京駅"), ("東京駅", 5, "東京…"), ("東京駅", 4, "東…"), ("e\u{301}tude", 3, "e\u{301}t…"),
  ])
  func truncatedTextFitsAndIsMarked(text: String, columns: Int, cut: String) {
    #expect(text.truncated(toColumns: columns) == cut)
    #expect(text.truncated(toColumns: columns).displayWidth <= columns)
  }
}
