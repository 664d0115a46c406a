import Foundation
import HoldfastTestSupport

/// The lines of a Swift file in which the blocks of a document are looked for.
struct ExampleSource {
  private let lines: [String]

  init(_ text: String) {
    lines = Self.trimmed(text.components(separatedBy: "\n"))
  }

  /// The first line of a block that does not stand here as it should; `nil` when all do.
  ///
  /// The lines follow one another as in the block. Indentation and blank lines do not count, and
  /// imports may stand anywhere.
  func lacking(_ block: MarkdownBlock) -> String? {
    let wanted = Self.trimmed(block.lines)
    if let absent = wanted.first(where: { Self.isImport($0) && !lines.contains($0) }) {
      return absent
    }
    let code = wanted.filter { !Self.isImport($0) }
    // How far each place of this file agrees with the block; the best one tells what is missing.
    let agreed =
      lines.indices.map { start in
        zip(code, lines[start...]).prefix { $0 == $1 }.count
      }.max() ?? 0
    return agreed < code.count ? code[agreed] : nil
  }

  private static func trimmed(_ lines: [String]) -> [String] {
    lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  private static func isImport(_ line: String) -> Bool { line.hasPrefix("import ") }
}
