import Foundation

/// A table of records: in columns, or on a narrow terminal as one block per record.
///
/// The header and the first records determine the widths; a later cell that is wider pushes
/// its line to the right. On a terminal where they are too wide, coordinates are rounded first, then
/// empty columns are left out, then the widest texts and headers are shortened until all columns fit.
/// Numbers, times and identifiers are never shortened: if they do not fit, or the terminal is narrower
/// than 60 columns, each record is a block. Where a layout says which columns are dispensable, these go
/// before texts become too short to be read. A later record is a block too if its numbers and
/// identifiers do not fit, or if it has a value in a column that was left out. No line is longer than
/// the terminal is wide.
struct TextTable {
  /// The layout of a table of records, which have more keys than fit on a terminal.
  struct Layout: Sendable {
    /// The keys to show; `nil` shows all.
    var keys: Set<String>?
    /// The keys whose texts are never shortened; `nil` means `id` and keys that end in `_id`.
    var identifiers: Set<String>?
    /// The keys of coordinates in degrees, rounded to five decimals (about a meter) to save room.
    var coordinates: Set<String> = []
    /// Whether NULL is distinguished from an empty text.
    var showsNull = false
    /// Whether a long text in the last column is wrapped instead of shortened.
    var isLastWrapped = false
    /// The keys of columns that are left out where others would become too short, the first one first.
    var dispensable: [String] = []
    /// The styles of texts on a terminal, by key and text; the text `""` stands for all others.
    var styles: [String: [String: TextStyle]] = [:]

    static let everything = Layout()

    fileprivate func isIdentifier(_ key: String) -> Bool {
      identifiers?.contains(key) ?? (key == "id" || key.hasSuffix("_id"))
    }
  }

  private struct Column {
    var index: Int
    /// The key of the records.
    var name: String
    /// The key as it is printed.
    var key: String
    var isNumeric: Bool
    var mayShorten: Bool
    /// The width of the widest cell.
    var cellWidth: Int
    var width: Int
  }

  private var shown: [Column] = []
  /// The columns without a value in the first records, left out to save room.
  private var omitted: [Column] = []
  private let layout: Layout
  private let columns: Int?
  private var roundsCoordinates = false
  private var isBlocks = false

  /// Creates a table with columns sized for the first records, which all have the same keys.
  ///
  /// - Parameters:
  ///   - records: At least one record.
  ///   - layout: The layout of the table.
  ///   - columns: The width of the terminal; `nil` when there is none.
  init(for records: [OutputRecord], as layout: Layout = .everything, columns: Int?) {
    (self.layout, self.columns) = (layout, columns)
    shown = measured(records)
    guard let columns, width > columns else { return }
    if !layout.coordinates.isEmpty {
      roundsCoordinates = true
      shown = measured(records)
    }
    if width > columns {
      omitted = shown.filter { $0.cellWidth == 0 }
      shown.removeAll { $0.cellWidth == 0 }
    }
    for key in layout.dispensable where columns >= Self.leastColumns && readableWidth > columns {
      shown.removeAll { $0.name == key }
    }
    if width > columns { narrow(to: columns) }
    isBlocks = width > columns
  }

  /// The width below which a terminal shows blocks when the columns do not fit unshortened.
  private static let leastColumns = 60

  /// The smallest width of wrapped text that is readable.
  private static let leastWrapped = 30

  /// The width of a name that is shortened and still recognized.
  private static let leastReadable = 18

  /// The smallest width of a shortened column.
  private static let least = 8

  private func measured(_ records: [OutputRecord]) -> [Column] {
    let fields = records.first?.fields ?? []
    return fields.indices.filter { layout.keys?.contains(fields[$0].key) ?? true }.map { index in
      let cells = records.map { $0.fields[index].cell }
      let name = fields[index].key
      let key = name.escapingControls
      let isInstant = cells.contains { if case .instant = $0 { true } else { false } }
      let isNumeric =
        cells.allSatisfy { $0.isNumber || $0 == .null } && cells.contains(where: \.isNumber)
      let cellWidth = records.map { text(of: $0.fields[index]).displayWidth }.reduce(0, max)
      return Column(
        index: index, name: name, key: key, isNumeric: isNumeric,
        mayShorten: columns != nil && !isNumeric && !isInstant && !layout.isIdentifier(name),
        cellWidth: cellWidth, width: max(key.displayWidth, cellWidth))
    }
  }

  /// The total width of all cells and the gaps between them.
  private var width: Int { shown.map(\.width).reduce(2 * (shown.count - 1), +) }

  /// The width with columns whose texts are as short as they can be read.
  private var readableWidth: Int {
    shown.map { $0.mayShorten ? min($0.width, Self.leastReadable) : $0.width }
      .reduce(2 * (shown.count - 1), +)
  }

  /// Narrows the widest columns that may be shortened, until all fit.
  private mutating func narrow(to columns: Int) {
    guard columns >= Self.leastColumns else { return }
    if isLastWrapped, let last = shown.indices.last {
      let room = columns - (width - shown[last].width)
      shown[last].width = min(shown[last].width, max(room, Self.leastWrapped))
    }
    let leasts = shown.map { $0.mayShorten ? Self.least : max($0.cellWidth, Self.least) }
    while width > columns,
      let widest = shown.indices.filter({ shown[$0].width > leasts[$0] })
        .max(by: { shown[$0].width < shown[$1].width })
    {
      shown[widest].width -= 1
    }
  }

  private var isLastWrapped: Bool { layout.isLastWrapped && shown.last?.mayShorten == true }

  private func text(of field: OutputRecord.Field) -> String {
    switch field.cell {
    case .null where layout.showsNull: "NULL"
    case .real(let value) where roundsCoordinates && layout.coordinates.contains(field.key):
      Cell.real((value * 1e5).rounded() / 1e5).tableText
    default: field.cell.tableText
    }
  }

  // MARK: - Printing

  /// The line above the records; `nil` when each record is a block with its own keys.
  var header: StyledText? {
    guard !isBlocks else { return nil }
    let names = shown.map { columns == nil ? $0.key : $0.key.truncated(toColumns: $0.width) }
    return StyledText(line(names).plain, .bold)
  }

  /// Returns the line of a record, or its lines if the last column is wrapped or it is a block.
  func line(_ record: OutputRecord) -> StyledText {
    guard let columns else { return Self.joined(lines(record)) }
    if isBlocks { return StyledText(block(record, columns)) }
    let lines = lines(record)
    let isComplete = omitted.allSatisfy { text(of: record.fields[$0.index]).isEmpty }
    guard isComplete, lines.allSatisfy({ $0.plain.displayWidth <= columns }) else {
      // Separated from the line above, which the header names.
      return StyledText("\n" + block(record, columns))
    }
    return Self.joined(lines)
  }

  private static func joined(_ lines: [StyledText]) -> StyledText {
    guard var all = lines.first else { return StyledText() }
    for line in lines.dropFirst() {
      all.append("\n")
      all.append(line)
    }
    return all
  }

  private func lines(_ record: OutputRecord) -> [StyledText] {
    let texts = shown.map { text(of: record.fields[$0.index]) }
    let styles = layout.styles.isEmpty ? [] : zip(shown, texts).map(style)
    guard isLastWrapped, let text = texts.last, let width = shown.last?.width else {
      return [line(texts, styles)]
    }
    let blank = [String](repeating: "", count: texts.count - 1)
    return text.wrapped(toColumns: width).enumerated().map { number, piece in
      number == 0 ? line(Array(texts.dropLast()) + [piece], styles) : line(blank + [piece])
    }
  }

  private func style(of column: Column, _ text: String) -> TextStyle? {
    layout.styles[column.name].flatMap { $0[text] ?? $0[""] }
  }

  private func line(_ texts: [String], _ styles: [TextStyle?] = []) -> StyledText {
    var line = StyledText()
    for (number, (column, text)) in zip(shown, texts).enumerated() {
      if number > 0 { line.append("  ") }
      let text = column.mayShorten ? text.truncated(toColumns: column.width) : text
      let padding = String(repeating: " ", count: max(0, column.width - text.displayWidth))
      if column.isNumeric { line.append(padding) }
      line.append(text, styles.isEmpty ? nil : styles[number])
      if !column.isNumeric { line.append(padding) }
    }
    // The last column is not padded.
    line.removeTrailingSpaces()
    return line
  }

  /// Returns a line per key, and an empty line at the end.
  private func block(_ record: OutputRecord, _ columns: Int) -> String {
    let fields = (shown + omitted).sorted { $0.index < $1.index }
      .map { (column: $0, text: text(of: record.fields[$0.index])) }
      .filter { !$0.text.isEmpty }
    let keyWidth = (shown + fields.map(\.column)).map(\.key.displayWidth).reduce(0, max) + 2
    // A value that does not fit next to its key is printed below it.
    let isBelow = columns - keyWidth < Self.least
    let indent = isBelow ? min(2, columns / 8) : keyWidth
    let blank = String(repeating: " ", count: indent)
    var lines: [String] = []
    for (column, text) in fields {
      if isBelow { lines.append(column.key.truncated(toColumns: columns)) }
      for (number, piece) in text.broken(toColumns: columns - indent).enumerated() {
        let isFirst = number == 0 && !isBelow
        lines.append((isFirst ? column.key.padding(toColumn: keyWidth) : blank) + piece)
      }
    }
    return (lines.map { $0.truncated(toColumns: columns) } + [""]).joined(separator: "\n")
  }
}

extension Cell {
  var isNumber: Bool {
    switch self {
    case .integer, .unsigned, .real: true
    case .null, .bool, .text, .instant, .blob, .list, .record: false
    }
  }

  /// The text in a table: one line, empty for NULL, a short blob as an SQL literal.
  var tableText: String {
    switch self {
    case .null: ""
    case .bool(let value): value ? "yes" : "no"
    case .integer(let value): String(value)
    case .unsigned(let value): String(value)
    case .real(let value): "\(value)"
    case .text(let value): value.escapingControls
    case .instant(let value): value.shown ?? value.iso8601
    case .blob(let value) where value.count <= 16: value.blobLiteral
    case .blob(let value): "\(value.count) bytes"
    case .list([]): "none"
    case .list(let values): values.map(\.tableText).joined(separator: ", ")
    case .record(let record): record.json
    }
  }
}
