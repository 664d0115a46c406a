import Foundation

/// A reference implementation of the dialect that reads the whole text character by character.
struct SlowCSV {
  private static let breaks: Set<Character> = ["\n", "\r"]
  private static let padding: Set<Character> = [" ", "\t"]

  private let text: [Character]
  /// The number of fields of the first line.
  private var columns: Int?

  static func rows(_ bytes: [UInt8]) -> [[String]] {
    var csv = SlowCSV(
      text: String(decoding: bytes, as: UTF8.self).unicodeScalars.map(Character.init))
    csv.columns = csv.columnsOfFirstLine()
    var rows: [[String]] = []
    var index = 0
    while index < csv.text.count {
      let row = csv.row(&index)
      if row.values != [""] || row.isQuoted { rows.append(row.values) }
      if csv.at(index) == "\r", csv.at(index + 1) == "\n" { index += 1 }
      index += 1
    }
    return rows
  }

  private func at(_ index: Int) -> Character? { index < text.count ? text[index] : nil }

  private func columnsOfFirstLine() -> Int? {
    let rest = text.drop { Self.breaks.contains($0) || Self.padding.contains($0) }
    guard !rest.isEmpty else { return nil }
    return rest.prefix { !Self.breaks.contains($0) }.split(
      separator: "\"", omittingEmptySubsequences: false
    )
    .enumerated().filter { $0.offset.isMultiple(of: 2) }
    .reduce(1) { $0 + $1.element.count { $0 == "," } }
  }

  /// Reads a row, and moves to its line end.
  private func row(_ index: inout Int) -> (values: [String], isQuoted: Bool) {
    var values: [String] = []
    var isQuoted = false
    while true {
      let start = skippingPadding(index)
      if at(start) == "\"" {
        isQuoted = true
        if let (value, end) = quoted(start, before: text.count) {
          values.append(value)
          index = end
        } else {
          // The line with the quote that is not doubled, unless that opens a field of a later line.
          let stray = stray(start, before: text.count)
          var last = start
          if let stray, text[start..<stray].contains(where: Self.breaks.contains),
            !(Self.breaks.contains(text[stray - 1]) || text[stray - 1] == ",")
          {
            last = stray
          }
          let end = endOfLine(last)
          values += rest(
            start..<end, stray: stray.flatMap { $0 < end ? $0 : nil },
            expected: columns.map { $0 - values.count })
          index = end
          return (values, true)
        }
      } else {
        let end = text[index...].firstIndex { $0 == "," || Self.breaks.contains($0) } ?? text.count
        values.append(trimmed(text[index..<end]))
        index = end
      }
      guard at(index) == "," else { return (values, isQuoted) }
      index += 1
    }
  }

  /// Returns a quoted value and the end of the field, if all quotes in it are doubled.
  private func quoted(_ open: Int, before limit: Int) -> (value: String, end: Int)? {
    guard let close = stray(open, before: limit) else { return nil }
    let end = skippingPadding(close + 1, before: limit)
    guard end == limit || text[end] == "," || Self.breaks.contains(text[end]) else { return nil }
    let value = String(text[(open + 1)..<close]).replacing("\"\"", with: "\"")
    return (value.trimmingCharacters(in: [" ", "\t"]), end)
  }

  /// Returns the first quote after one that is not doubled.
  private func stray(_ open: Int, before limit: Int) -> Int? {
    var index = open + 1
    while index < limit {
      if text[index] == "\"" {
        guard index + 1 < limit, text[index + 1] == "\"" else { return index }
        index += 1
      }
      index += 1
    }
    return nil
  }

  /// Returns the values of the rest of a line.
  private func rest(_ line: Range<Int>, stray: Int?, expected: Int?) -> [String] {
    let open = line.lowerBound
    var start = open + 1
    if let stray, text[start..<stray].contains(where: Self.breaks.contains) { start = stray }
    let closers = (start..<max(start, line.upperBound)).filter { closes($0, line) }
    let choices = closers.prefix(16).map { close in
      [trimmed(text[(open + 1)..<close])]
        + values(after: skippingPadding(close + 1, before: line.upperBound), line)
    }
    if let choice = choices.first(where: { $0.count == expected }) { return choice }
    guard let stray else {
      let value = String(text[(open + 1)..<line.upperBound]).replacing("\"\"", with: "\"")
      return [value.trimmingCharacters(in: [" ", "\t"])]
    }
    let comma = text[stray..<line.upperBound].firstIndex(of: ",") ?? line.upperBound
    let plain = [trimmed(text[open..<comma])] + values(after: comma, line)
    return plain.count == expected ? plain : choices.first ?? plain
  }

  /// Returns whether a character is a quote that ends a field of a line.
  private func closes(_ index: Int, _ line: Range<Int>) -> Bool {
    guard text[index] == "\"" else { return false }
    let end = skippingPadding(index + 1, before: line.upperBound)
    return end == line.upperBound || text[end] == ","
  }

  /// Returns the values after a comma.
  private func values(after comma: Int, _ line: Range<Int>) -> [String] {
    guard comma < line.upperBound else { return [] }
    let start = skippingPadding(comma + 1, before: line.upperBound)
    guard start < line.upperBound, text[start] == "\"" else {
      let end = text[start..<line.upperBound].firstIndex(of: ",") ?? line.upperBound
      return [trimmed(text[start..<end])] + values(after: end, line)
    }
    if let (value, end) = quoted(start, before: line.upperBound) {
      return [value] + values(after: end, line)
    }
    if let close = ((start + 1)..<line.upperBound).first(where: { closes($0, line) }) {
      return [trimmed(text[(start + 1)..<close])]
        + values(after: skippingPadding(close + 1, before: line.upperBound), line)
    }
    guard let stray = stray(start, before: line.upperBound) else {
      let value = String(text[(start + 1)..<line.upperBound]).replacing("\"\"", with: "\"")
      return [value.trimmingCharacters(in: [" ", "\t"])]
    }
    let end = text[stray..<line.upperBound].firstIndex(of: ",") ?? line.upperBound
    return [trimmed(text[start..<end])] + values(after: end, line)
  }

  private func endOfLine(_ start: Int) -> Int {
    text[start...].firstIndex { Self.breaks.contains($0) } ?? text.count
  }

  private func skippingPadding(_ start: Int, before limit: Int? = nil) -> Int {
    let limit = limit ?? text.count
    return (start..<max(start, limit)).first { !Self.padding.contains(text[$0]) } ?? limit
  }

  private func trimmed(_ text: ArraySlice<Character>) -> String {
    String(text).trimmingCharacters(in: [" ", "\t"])
  }
}
