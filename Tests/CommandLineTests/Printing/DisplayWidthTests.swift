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

  @Test(arguments: [
    ("Quay", 4, "Quay"), ("Quay", 3, "Qu…"), ("Quay", 1, "…"), ("Quay", 0, ""),
    ("東京駅", 6, "東京駅"), ("東京駅", 5, "東京…"), ("東京駅", 4, "東…"), ("e\u{301}tude", 3, "e\u{301}t…"),
  ])
  func truncatedTextFitsAndIsMarked(text: String, columns: Int, cut: String) {
    #expect(text.truncated(toColumns: columns) == cut)
    #expect(text.truncated(toColumns: columns).displayWidth <= columns)
  }
}
