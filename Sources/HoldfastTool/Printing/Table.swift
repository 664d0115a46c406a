import Foundation

/// Lays records out in columns, for people.
///
/// The widths are those of the header and the first records; a later cell that is wider pushes
/// its line to the right. On a terminal the widest texts are shortened until all columns fit, and
/// no line is longer than the terminal is wide.
struct Table {
  private let keys: [String]
  private let isNumeric: [Bool]
  private let widths: [Int]
  private let columns: Int?

  /// Decides the columns from the first records, which all have the same keys.
  ///
  /// - Parameters:
  ///   - records: One record at least.
  ///   - columns: The width of the terminal; `nil` when there is none.
  init(for records: [Record], columns: Int?) {
    let cells = records.map { $0.fields.map(\.cell) }
    let keys = records.first?.fields.map(\.key.escapingControls) ?? []
    self.keys = keys
    let isNumeric = keys.indices.map { index in
      let column = cells.map { $0[index] }
      return column.allSatisfy { $0.isNumber || $0 == .null } && column.contains(where: \.isNumber)
    }
    let widths = keys.indices.map { index in
      cells.map { $0[index].tableText.displayWidth }.reduce(keys[index].displayWidth, max)
    }
    self.isNumeric = isNumeric
    self.widths = columns.map { Self.narrowed(widths, sparing: isNumeric, to: $0) } ?? widths
    self.columns = columns
  }

  /// Takes columns from the widest texts until all fit, but leaves each text 8 columns.
  private static func narrowed(_ widths: [Int], sparing isSpared: [Bool], to columns: Int) -> [Int]
  {
    var widths = widths.map { min($0, columns) }
    let gaps = 2 * (widths.count - 1)
    let texts = widths.indices.filter { !isSpared[$0] }
    while widths.reduce(gaps, +) > columns,
      let widest = texts.max(by: { widths[$0] < widths[$1] }), widths[widest] > 8
    {
      widths[widest] -= 1
    }
    return widths
  }

  var header: String { line(keys) }

  func line(_ record: Record) -> String { line(record.fields.map(\.cell.tableText)) }

  private func line(_ texts: [String]) -> String {
    var line = ""
    for (index, text) in texts.enumerated() {
      if index > 0 { line += "  " }
      let mayShorten = columns != nil && !isNumeric[index]
      let text = mayShorten ? text.truncated(toColumns: widths[index]) : text
      if isNumeric[index] {
        line += text.paddingLeft(toColumn: widths[index])
      } else {
        // Nothing stands behind the last column, so that lines carry no trailing blanks.
        line += index == texts.count - 1 ? text : text.padding(toColumn: widths[index])
      }
    }
    while line.last == " " { line.removeLast() }
    return columns.map(line.truncated) ?? line
  }
}

extension Cell {
  fileprivate var isNumber: Bool {
    switch self {
    case .integer, .real: true
    case .null, .bool, .text, .blob, .list, .record: false
    }
  }

  /// What a table shows: one line, nothing for NULL, a short blob as SQL writes it.
  var tableText: String {
    switch self {
    case .null: ""
    case .bool(let value): value ? "yes" : "no"
    case .integer(let value): String(value)
    case .real(let value): "\(value)"
    case .text(let value): value.escapingControls
    case .blob(let value) where value.count <= 16:
      "x'" + value.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "'"
    case .blob(let value): "\(value.count) bytes"
    case .list(let values): values.map(\.tableText).joined(separator: ", ")
    case .record(let record): record.json
    }
  }
}
