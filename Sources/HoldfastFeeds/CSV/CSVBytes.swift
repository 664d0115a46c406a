/// A borrowed array of bytes, whose elements are accessed without checks in an optimized build.
///
/// It is valid only during the call to which it is passed. The scanners below compare each index
/// with ``count`` before they use it; a debug build checks that they do.
@safe struct CSVBytes {
  static let quote = UInt8(ascii: "\"")
  static let comma = UInt8(ascii: ",")
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")

  let count: Int
  private let base: UnsafeMutablePointer<UInt8>

  init?(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
    guard let base = buffer.baseAddress else { return nil }
    unsafe self.base = base
    count = buffer.count
  }

  subscript(index: Int) -> UInt8 {
    @inline(__always) get {
      assert(index >= 0 && index < count)
      return unsafe base[index]
    }
    @inline(__always) nonmutating set {
      assert(index >= 0 && index < count)
      unsafe base[index] = newValue
    }
  }

  /// Returns whether a byte is a space, as it may stand around a field.
  @inline(__always) static func isPadding(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0B || byte == 0x0C
  }

  /// Returns whether a byte ends a field that is not quoted.
  @inline(__always) static func endsField(_ byte: UInt8) -> Bool {
    byte == comma || byte == lineFeed || byte == carriageReturn
  }

  /// Returns the index of the first byte in a range that is below '-' or not ASCII; the end of the range
  /// if there is none.
  @inline(__always) func firstUnusual(_ range: Range<Int>) -> Int {
    assert(range.lowerBound >= 0 && range.upperBound <= count)
    var index = range.lowerBound
    let high: UInt64 = 0x8080_8080_8080_8080
    while index + 8 <= range.upperBound {
      let word = unsafe UInt64(
        littleEndian: UnsafeRawPointer(base).loadUnaligned(fromByteOffset: index, as: UInt64.self))
      // The highest bit of each byte is set if the byte is below '-' or not ASCII: with that bit, no
      // byte is so small that the subtraction borrows from the next one.
      let unusual = (~((word | high) &- 0x2D2D_2D2D_2D2D_2D2D) | word) & high
      if unusual != 0 { return index + unusual.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < range.upperBound, self[index] &- 0x2D < 0x53 { index += 1 }
    return index
  }

  /// Returns whether a range contains a byte.
  func contains(_ byte: UInt8, _ range: Range<Int>) -> Bool {
    var index = range.lowerBound
    while index < range.upperBound {
      // A loop without an exit, which the compiler turns into vector instructions.
      let end = min(index + 4096, range.upperBound)
      var found: UInt8 = 0
      while index < end {
        found |= self[index] == byte ? 1 : 0
        index += 1
      }
      if found != 0 { return true }
    }
    return false
  }

  /// Returns the number of line ends in a range that ends with a whole one.
  func lineCount(_ range: Range<Int>) -> Int {
    var lines = 0
    var index = range.lowerBound
    while index < range.upperBound {
      // So short that the sum of a byte does not overflow, and without an exit as above.
      let end = min(index + 255, range.upperBound)
      var sum: UInt8 = 0
      while index < end {
        sum &+= self[index] == Self.lineFeed ? 1 : 0
        index += 1
      }
      lines += Int(sum)
    }
    guard contains(Self.carriageReturn, range) else { return lines }
    for index in range where self[index] == Self.carriageReturn {
      // The line feed of a pair is the one that was counted.
      let isPair = index + 1 < range.upperBound && self[index + 1] == Self.lineFeed
      if !isPair { lines += 1 }
    }
    return lines
  }

  /// Returns the index after the last whole row of a range that starts with a row; `nil` if none is
  /// whole.
  func endOfLastRow(_ range: Range<Int>) -> Int? {
    if contains(Self.quote, range) { return endOfLastRowWithQuotes(range) }
    var index = range.upperBound - 1
    while index >= range.lowerBound {
      if self[index] == Self.lineFeed { return index + 1 }
      // A line feed may follow the last byte.
      if self[index] == Self.carriageReturn, index + 1 < range.upperBound { return index + 1 }
      index -= 1
    }
    return nil
  }

  /// Follows the quotes from the start, because only they tell which line ends are in a field.
  private func endOfLastRowWithQuotes(_ range: Range<Int>) -> Int? {
    var end: Int?
    var isFieldStart = true
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = self[index]
      index += 1
      switch byte {
      case Self.quote where isFieldStart:
        let limit = (end ?? range.lowerBound) + CSVParser.longestRow
        switch closingQuote(index..<range.upperBound, before: limit) {
        case .at(let closed): index = closed + 1
        case .missing: index = endOfLine(index..<range.upperBound)
        case .unescaped(let quote):
          let lastLine = startOfLastLine(of: index, unescaped: quote)
          index = endOfLine(lastLine..<range.upperBound)
        case .unknown: return end
        }
        isFieldStart = false
      case Self.comma: isFieldStart = true
      case Self.lineFeed:
        isFieldStart = true
        end = index
      case Self.carriageReturn:
        guard index < range.upperBound else { return end }
        if self[index] == Self.lineFeed { index += 1 }
        isFieldStart = true
        end = index
      default: if !Self.isPadding(byte) { isFieldStart = false }
      }
    }
    return end
  }

  /// The place of the quote that closes a field.
  private enum ClosingQuote {
    case at(Int)
    /// There is none before the limit.
    case missing
    /// A quote in the value is not doubled; its line ends the row.
    case unescaped(Int)
    /// The range ends too early to tell.
    case unknown
  }

  /// Finds the quote that closes a field, whose content starts a range.
  ///
  /// One at the limit or after it does not count, so that a quote that is opened by mistake costs a
  /// part of the memory, and not the rest of the file.
  private func closingQuote(_ range: Range<Int>, before limit: Int) -> ClosingQuote {
    var index = range.lowerBound
    while index < limit, index + 1 < range.upperBound {
      if self[index] != Self.quote {
        index += 1
      } else if self[index + 1] == Self.quote {
        index += 2
      } else {
        var end = index + 1
        while end < range.upperBound, Self.isPadding(self[end]) { end += 1 }
        guard end < range.upperBound else { return .unknown }
        return Self.endsField(self[end]) ? .at(index) : .unescaped(index)
      }
    }
    return index < limit ? .unknown : .missing
  }

  /// Returns the start of the line, or the start of the value in its first line, with which a row ends.
  ///
  /// A quote at the start of a later line or field opens one: then the value was meant to end on its
  /// first line.
  ///
  /// - Parameters:
  ///   - start: The start of the value, after its opening quote.
  ///   - quote: The first quote in it that is not doubled and does not close it.
  /// - Returns: The start of the value, or the quote.
  func startOfLastLine(of start: Int, unescaped quote: Int) -> Int {
    guard endOfLine(start..<quote) < quote else { return start }
    return Self.endsField(self[quote - 1]) ? start : quote
  }

  /// Returns the number of fields of the first line that is not blank; `nil` if there is none.
  ///
  /// It is the number of commas outside quotes, plus one.
  func fieldCountOfFirstLine(_ range: Range<Int>) -> Int? {
    var index = range.lowerBound
    while index < range.upperBound,
      Self.isPadding(self[index]) || self[index] == Self.lineFeed
        || self[index] == Self.carriageReturn
    { index += 1 }
    guard index < range.upperBound else { return nil }
    var count = 1
    var isQuoted = false
    while index < range.upperBound {
      let byte = self[index]
      if byte == Self.quote {
        isQuoted.toggle()
      } else if byte == Self.comma {
        if !isQuoted { count += 1 }
      } else if Self.endsField(byte) {
        break
      }
      index += 1
    }
    return count
  }

  /// Returns the index of the first line end in a range, or the end of the range.
  func endOfLine(_ range: Range<Int>) -> Int {
    var index = range.lowerBound
    while index < range.upperBound, self[index] != Self.lineFeed,
      self[index] != Self.carriageReturn
    { index += 1 }
    return index
  }

  /// Returns the index of the first byte in a range that is not UTF-8, or that starts a sequence
  /// that is not.
  ///
  /// - SeeAlso: Table 3-7 of the Unicode Standard, "Well-Formed UTF-8 Byte Sequences".
  func firstInvalidByte(_ range: Range<Int>) -> Int? {
    var index = range.lowerBound
    while index < range.upperBound {
      let length = lengthOfScalar(index..<range.upperBound)
      if length == 0 { return index }
      index += length
    }
    return nil
  }

  /// Returns the length of the sequence at the start of a range; 0 if it is not well-formed.
  private func lengthOfScalar(_ range: Range<Int>) -> Int {
    let start = range.lowerBound
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch self[start] {
    case 0...0x7F: return 1
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return 0
    }
    guard range.count >= length, second.contains(self[start + 1]) else { return 0 }
    for index in (start + 2)..<(start + max(2, length)) where self[index] & 0xC0 != 0x80 {
      return 0
    }
    return length
  }
}
