import Holdfast

/// The columns of one file that have no property of their own, and their values as text.
///
/// The values of a row are one record; equal records have one number.
struct OtherColumns {
  /// The columns, sorted by name, so that their order in the file does not matter.
  private let columns: [FeedColumn]
  private var isUsed: [Bool]
  // The values of one record, each followed by a NUL, which no value contains.
  private var records = InternTable<UInt8>()
  private var buffer: [UInt8] = []

  init(_ columns: [FeedColumn] = []) {
    self.columns = columns.sorted { ExactText($0.name) < ExactText($1.name) }
    isUsed = columns.map { _ in false }
  }

  /// Whether the file has no such column.
  var isEmpty: Bool { columns.isEmpty }

  /// Returns the number of the row's record; -1 if all its values are blank.
  mutating func number(_ parser: RowParser) -> Int32 {
    // Nearly every file has only known columns.
    if columns.isEmpty { return -1 }
    buffer.removeAll(keepingCapacity: true)
    var isBlank = true
    for (position, column) in columns.enumerated() {
      if let index = column.index, !parser.record.isBlank(index) {
        buffer.append(contentsOf: parser.bytes(index))
        isUsed[position] = true
        isBlank = false
      }
      buffer.append(0)
    }
    return isBlank ? -1 : Int32(records.insert(buffer).number)
  }

  /// The names of the columns that have a value in any row.
  var names: [String] {
    zip(columns, isUsed).filter(\.1).map(\.0.name)
  }

  /// Returns the values of ``names``, a blank one as an empty text; `nil` for the number -1.
  func values(_ number: Int32) -> [String]? {
    if number < 0 { return nil }
    let values = records[Int(number)].dropLast().split(
      separator: 0, omittingEmptySubsequences: false)
    return zip(values, isUsed).filter(\.1).map { String(decoding: $0.0, as: UTF8.self) }
  }

  /// Returns the values of ``names`` in one record, as CSV; `nil` for the number -1.
  func text(_ number: Int32) -> String? {
    values(number).map { $0.map(Self.quoted).joined(separator: ",") }
  }

  private static func quoted(_ value: String) -> String {
    let mustBeQuoted = value.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
    return mustBeQuoted ? "\"" + value.replacing("\"", with: "\"\"") + "\"" : value
  }
}
