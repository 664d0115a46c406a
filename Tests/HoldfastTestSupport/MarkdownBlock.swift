/// A fenced block of code in a Markdown text.
public struct MarkdownBlock: Sendable {
  /// The word after the opening fence, such as `swift`; empty when there is none.
  public let language: String
  /// The lines between the fences, as they are written.
  public let lines: [String]
  /// The line of the opening fence, counted from 1.
  public let line: Int

  /// Returns the fenced blocks of a text.
  ///
  /// A block without a closing fence ends with the text.
  ///
  /// - Parameter markdown: the text.
  /// - Returns: the blocks, in their order.
  public static func all(in markdown: String) -> [MarkdownBlock] {
    var blocks: [MarkdownBlock] = []
    var open: (fence: Substring, language: String, line: Int, lines: [String])?
    func close() {
      guard let block = open else { return }
      blocks.append(
        MarkdownBlock(language: block.language, lines: block.lines, line: block.line))
      open = nil
    }
    for (index, line) in markdown.split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      let text = line.drop { $0 == " " }
      let fence = text.prefix { $0 == "`" }
      if let block = open {
        if fence.count >= block.fence.count, fence.count == text.count {
          close()
        } else {
          open?.lines.append(String(line))
        }
      } else if fence.count >= 3 {
        let language = text.dropFirst(fence.count).prefix { $0 != " " }
        open = (fence, String(language), index + 1, [])
      }
    }
    close()
    return blocks
  }
}
