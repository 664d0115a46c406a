import Foundation

/// Lays records out in columns, for people.
///
/// The widths are those of the header and the first records; a later cell that is wider pushes
/// its line to the right. On a terminal the widest texts and headers are shortened until all columns
/// fit, and no line is longer than the terminal is wide; numbers are never shortened.
struct Table {
  /// What a table shows of records, which have more keys than a terminal has room for.
  struct Layout: Sendable {
    /// The keys that are shown; `nil` shows all.
    var keys: Set<String>?
    /// Whether a long text in the last column goes on below, instead of being shortened.
    var isLastWrapped = false

    static let everything = Layout()
  }

  private let shown: [Int]
  private let keys: [String]
  private let isNumeric: [Bool]
  private let widths: [Int]
  private let columns: Int?
  private let isLastWrapped: Bool

  /// Decides the columns from the first records, which all have the same keys.
  ///
  /// - Parameters:
  ///   - records: One record at least.
  ///   - layout: What is shown of them.
  ///   - columns: The width of the terminal; `nil` when there is none.
  init(for records: [Record], as layout: Layout = .everything, columns: Int?) {
    let fields = records.first?.fields ?? []
    let shown = fields.indices.filter { layout.keys?.contains(fields[$0].key) ?? true }
    let cells = records.map { record in shown.map { record.fields[$0].cell } }
    let keys = shown.map { fields[$0].key.escapingControls }
    (self.shown, self.keys) = (shown, keys)
    let isNumeric = keys.indices.map { index in
      let column = cells.map { $0[index] }
      return column.allSatisfy { $0.isNumber || $0 == .null } && column.contains(where: \.isNumber)
    }
    let cellWidths = keys.indices.map { index in
      cells.map { $0[index].tableText.displayWidth }.reduce(0, max)
    }
    var widths = zip(keys, cellWidths).map { max($0.displayWidth, $1) }
    isLastWrapped = layout.isLastWrapped && isNumeric.last == false && columns != nil
    if isLastWrapped, let columns, let last = widths.popLast() {
      let room = columns - widths.reduce(0) { $0 + $1 + 2 }
      widths.append(min(last, max(room, Self.leastWrapped)))
    }
    self.isNumeric = isNumeric
    let leasts = zip(isNumeric, cellWidths).map { $0 ? max($1, Self.least) : Self.least }
    self.widths = columns.map { Self.narrowed(widths, downTo: leasts, to: $0) } ?? widths
    self.columns = columns
  }

  /// A text that is wrapped to fewer columns is hard to read.
  private static let leastWrapped = 30

  /// No column is made narrower than that, so that something of it is seen.
  private static let least = 8

  /// Takes columns from the widest that may give some, until all fit.
  private static func narrowed(_ widths: [Int], downTo leasts: [Int], to columns: Int) -> [Int] {
    var widths = widths.map { min($0, columns) }
    let gaps = 2 * (widths.count - 1)
    while widths.reduce(gaps, +) > columns,
      let widest = widths.indices.filter({ widths[$0] > leasts[$0] })
        .max(by: { widths[$0] < widths[$1] })
    {
      widths[widest] -= 1
    }
    return widths
  }

  var header: String {
    line(columns == nil ? keys : zip(keys, widths).map { $0.truncated(toColumns: $1) })
  }

  /// The line of a record, or its lines where the last column is wrapped.
  func line(_ record: Record) -> String {
    let texts = shown.map { record.fields[$0].cell.tableText }
    guard isLastWrapped, let last = texts.last, let width = widths.last else { return line(texts) }
    let blank = [String](repeating: "", count: texts.count - 1)
    return last.wrapped(toColumns: width).enumerated().map { number, piece in
      line((number == 0 ? Array(texts.dropLast()) : blank) + [piece])
    }.joined(separator: "\n")
  }

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
    case .list([]): "none"
    case .list(let values): values.map(\.tableText).joined(separator: ", ")
    case .record(let record): record.json
    }
  }
}
