/// A Swift file with its code and its comments told apart.
///
/// The words of a string are neither; what stands in an interpolation is code. Each part keeps the
/// lines of the file, so that a finding can name its line.
struct SwiftSource {
  let path: String
  let code: [String]
  let comments: [String]
  /// Why the parts cannot be trusted, with the line where reading went wrong.
  let flaw: (line: Int, reason: String)?

  init(path: String, text: String) {
    var lexer = Lexer(text)
    lexer.run()
    self.path = path
    code = lexer.code.lines
    comments = lexer.comments.lines
    flaw = lexer.flaw
  }

  /// Returns the number of each line whose code has `word`, as often as it has it.
  func lines(with word: String) -> [Int] {
    Self.lines(of: code, with: word)
  }

  /// Returns the number of each line whose comment has `word`, as often as it has it.
  func remarks(with word: String) -> [Int] {
    Self.lines(of: comments, with: word)
  }

  private static func lines(of part: [String], with word: String) -> [Int] {
    part.enumerated().flatMap { index, line in
      Array(repeating: index + 1, count: line.occurrences(ofWord: word))
    }
  }
}

extension String {
  /// Counts the places where `word` stands alone, not as a part of a longer identifier.
  func occurrences(ofWord word: String) -> Int {
    let text = Array(utf8)
    let word = Array(word.utf8)
    guard let first = word.first, let last = word.last, text.count >= word.count else { return 0 }
    var count = 0
    for start in 0...(text.count - word.count) where text[start] == first {
      let end = start + word.count
      guard text[start..<end].elementsEqual(word) else { continue }
      let joinsBefore = start > 0 && text[start - 1].isIdentifier && first.isIdentifier
      let joinsAfter = end < text.count && text[end].isIdentifier && last.isIdentifier
      if !joinsBefore && !joinsAfter { count += 1 }
    }
    return count
  }
}

extension UInt8 {
  /// Whether the byte may stand in an identifier.
  var isIdentifier: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default:
      false
    }
  }
}

extension [UInt8] {
  fileprivate var lines: [String] {
    split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Walks through a file byte by byte; every byte goes to the code, to the comments or to neither.
private struct Lexer {
  enum Mode {
    /// Code, with the parentheses opened since an interpolation began.
    case code(parentheses: Int)
    case text(hashes: Int, isMultiline: Bool)
    case pattern(hashes: Int)
  }

  let bytes: [UInt8]
  var code: [UInt8] = []
  var comments: [UInt8] = []
  var flaw: (line: Int, reason: String)?
  private var position = 0
  private var line = 1
  private var modes = [Mode.code(parentheses: 0)]

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  mutating func run() {
    while position < bytes.count {
      switch modes[modes.count - 1] {
      case .code(let parentheses): readCode(parentheses)
      case .text(let hashes, let isMultiline): readText(hashes, isMultiline)
      case .pattern(let hashes): readPattern(hashes)
      }
    }
    if modes.count > 1 { fail("what began before does not end") }
  }

  private mutating func readCode(_ parentheses: Int) {
    if starts("//") {
      while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { take(\.comments) }
    } else if starts("/*") {
      readBlockComment()
    } else if let opening = openingDelimiter() {
      for _ in 0..<opening.length { take(nil) }
      modes.append(opening.mode)
    } else {
      if starts("(") { modes[modes.count - 1] = .code(parentheses: parentheses + 1) }
      if starts(")") {
        if parentheses == 0, modes.count > 1 {
          modes.removeLast()
        } else {
          modes[modes.count - 1] = .code(parentheses: parentheses - 1)
        }
      }
      take(\.code)
    }
  }

  private mutating func readBlockComment() {
    var depth = 0
    repeat {
      if starts("/*") {
        depth += 1
        take(\.comments)
      } else if starts("*/") {
        depth -= 1
        take(\.comments)
      }
      take(\.comments)
    } while depth > 0 && position < bytes.count
    if depth > 0 { fail("a comment does not end") }
  }

  private func openingDelimiter() -> (mode: Mode, length: Int)? {
    var hashes = 0
    while position + hashes < bytes.count, bytes[position + hashes] == UInt8(ascii: "#") {
      hashes += 1
    }
    if starts("\"\"\"", at: position + hashes), endsLine(at: position + hashes + 3) {
      return (.text(hashes: hashes, isMultiline: true), hashes + 3)
    }
    if starts("\"", at: position + hashes) {
      return (.text(hashes: hashes, isMultiline: false), hashes + 1)
    }
    if hashes > 0, starts("/", at: position + hashes) {
      return (.pattern(hashes: hashes), hashes + 1)
    }
    return nil
  }

  private mutating func readText(_ hashes: Int, _ isMultiline: Bool) {
    let marks = String(repeating: "#", count: hashes)
    let end = (isMultiline ? "\"\"\"" : "\"") + marks
    if starts("\\" + marks) {
      for _ in 0...hashes { take(nil) }
      if starts("(") { modes.append(.code(parentheses: 0)) }
      take(nil)
    } else if starts(end) {
      for _ in 0..<end.utf8.count { take(nil) }
      modes.removeLast()
    } else {
      if starts("\n"), !isMultiline {
        fail("a string does not end on its line")
        modes.removeLast()
      }
      take(nil)
    }
  }

  private mutating func readPattern(_ hashes: Int) {
    let end = "/" + String(repeating: "#", count: hashes)
    if starts(end) {
      for _ in 0..<end.utf8.count { take(nil) }
      modes.removeLast()
    } else {
      take(nil)
    }
  }

  private func starts(_ text: String, at start: Int? = nil) -> Bool {
    bytes[min(start ?? position, bytes.count)...].starts(with: text.utf8)
  }

  /// Whether nothing but blanks follows: else three quotation marks are one and an empty string.
  private func endsLine(at start: Int) -> Bool {
    let rest = bytes[min(start, bytes.count)...].prefix { $0 != UInt8(ascii: "\n") }
    return rest.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }
  }

  /// Hands the next byte to one part and a blank to the other; ends of lines belong to both.
  private mutating func take(_ part: WritableKeyPath<Lexer, [UInt8]>?) {
    guard position < bytes.count else { return }
    let byte = bytes[position]
    position += 1
    if byte == UInt8(ascii: "\n") {
      line += 1
      code.append(byte)
      comments.append(byte)
    } else {
      code.append(part == \.code ? byte : UInt8(ascii: " "))
      comments.append(part == \.comments ? byte : UInt8(ascii: " "))
    }
  }

  private mutating func fail(_ reason: String) {
    if flaw == nil { flaw = (line, reason) }
  }
}
