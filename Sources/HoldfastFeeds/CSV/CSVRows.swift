/// The rows of a block of a CSV file: its bytes, and the positions of the fields in them.
///
/// Rows are in the file's order; blank lines are not among them. Spaces and quotes around a field
/// are not part of it.
package final class CSVRows: Sendable {
  struct Field: Equatable, Sendable {
    var start: UInt32
    var end: UInt32

    var isEmpty: Bool { start == end }

    init(_ start: Int, _ end: Int) {
      // A block is far shorter.
      self.start = UInt32(truncatingIfNeeded: start)
      self.end = UInt32(truncatingIfNeeded: end)
    }
  }

  struct Row: Sendable {
    var firstField: UInt32
    var firstFlaw: UInt32
    /// The number of lines before the row in the block.
    var line: UInt32
    var isPadded: Bool
  }

  static let empty = CSVRows(bytes: [], fields: [], rows: [], flaws: [], firstLine: 1)

  /// The bytes of the block, in which ``range(of:in:)`` finds the fields.
  package let bytes: [UInt8]
  /// The properties of the syntax of these rows.
  package let dialect: CSVDialect
  /// The length of the block in the file, in bytes.
  package let size: Int
  /// Whether the rest of the file is not read, because of a flaw in the last row.
  package let isCutOff: Bool
  let fields: [Field]
  let rows: [Row]
  let flaws: [CSVFlaw]
  /// The physical line on which the block starts.
  let firstLine: Int

  init(
    bytes: [UInt8], fields: [Field], rows: [Row], flaws: [CSVFlaw], firstLine: Int,
    dialect: CSVDialect = CSVDialect(), size: Int = 0, isCutOff: Bool = false
  ) {
    self.bytes = bytes
    self.fields = fields
    self.rows = rows
    self.flaws = flaws
    self.firstLine = firstLine
    self.dialect = dialect
    self.size = size
    self.isCutOff = isCutOff
  }

  /// The number of rows.
  package var count: Int { rows.count }

  /// Returns a row.
  package subscript(row: Int) -> CSVRecord { CSVRecord(self, row) }

  /// Returns the number of fields of a row.
  package func fieldCount(of row: Int) -> Int { fields(of: row).count }

  /// Returns the position of a field in ``bytes``; empty if the row is too short.
  package func range(of field: Int, in row: Int) -> Range<Int> {
    let fields = fields(of: row)
    guard field < fields.count else { return 0..<0 }
    return range(of: fields.lowerBound + field)
  }

  /// Returns whether every field of a row is empty.
  package func isBlank(_ row: Int) -> Bool { fields(of: row).allSatisfy { range(of: $0).isEmpty } }

  /// Returns the physical line on which a row starts; the header is line 1.
  package func line(of row: Int) -> Int { firstLine + Int(rows[row].line) }

  /// Returns the rows that have a flaw, no value, or another number of fields than the header.
  package func unusualRows(columns: Int) -> [Int] {
    let unusual = withFields { fields in
      (0..<fields.rowCount).filter { row in
        let first = fields.first(row)
        return fields.count(row) != columns || fields.hasFlaw(row)
          || (first..<(first + columns)).allSatisfy(fields.isBlank)
      }
    }
    return unusual ?? Array(rows.indices)
  }

  /// Returns the rows after the first ones.
  func dropFirst(_ count: Int) -> CSVRows {
    CSVRows(
      bytes: bytes, fields: fields, rows: Array(rows.dropFirst(count)), flaws: flaws,
      firstLine: firstLine, isCutOff: isCutOff)
  }

  func fields(of row: Int) -> Range<Int> {
    let end = row + 1 < rows.count ? Int(rows[row + 1].firstField) : fields.count
    return Int(rows[row].firstField)..<end
  }

  func range(of field: Int) -> Range<Int> { Int(fields[field].start)..<Int(fields[field].end) }

  func flaws(of row: Int) -> ArraySlice<CSVFlaw> { flaws[rangeOfFlaws(of: row)] }

  func isPadded(_ row: Int) -> Bool { rows[row].isPadded }

  private func rangeOfFlaws(of row: Int) -> Range<Int> {
    let end = row + 1 < rows.count ? Int(rows[row + 1].firstFlaw) : flaws.count
    return Int(rows[row].firstFlaw)..<end
  }
}
