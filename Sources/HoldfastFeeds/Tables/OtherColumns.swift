import Holdfast

/// The columns of one file that have no property of their own, and their values as text.
///
/// The values of a row are one record; equal records have one number.
struct OtherColumns: Sendable {
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
    number { index, buffer in
      guard !parser.record.isBlank(index) else { return false }
      buffer.append(contentsOf: parser.bytes(index))
      return true
    }
  }

  /// Returns the number of the record of a row without flaws, whose first field has a number.
  mutating func number(_ fields: CSVFields, _ first: Int) -> Int32 {
    number { index, buffer in
      guard !fields.isBlank(first + index) else { return false }
      fields.append(first + index, to: &buffer)
      return true
    }
  }

  // The closure appends the value of a field, and returns whether it is not blank.
  private mutating func number(_ append: (Int, inout [UInt8]) -> Bool) -> Int32 {
    // Nearly every file has only known columns.
    if columns.isEmpty { return -1 }
    buffer.removeAll(keepingCapacity: true)
    var isBlank = true
    for column in columns {
      if let index = column.index, append(index, &buffer) { isBlank = false }
      buffer.append(0)
    }
    return isBlank ? -1 : Int32(records.insert(buffer).number)
  }

  /// Returns the numbers of the records of another value with the same columns, which are added.
  mutating func add(_ others: OtherColumns) -> [Int32] {
    (0..<others.records.count).map { Int32(records.insert(others.records[$0]).number) }
  }

  // MARK: Results

  /// Notes that the content has a record, so that the columns that it fills are among ``names``.
  mutating func use(_ number: Int32) {
    guard number >= 0, isUsed.contains(false) else { return }
    for (position, value) in fields(number).enumerated() where !value.isEmpty {
      isUsed[position] = true
    }
  }

  /// Notes that the content has every record.
  mutating func useAll() {
    for number in 0..<records.count { use(Int32(number)) }
  }

  /// The names of all columns, in their order.
  var allNames: [String] { columns.map(\.name) }

  /// The names of the columns that have a value in any record of the content.
  var names: [String] {
    zip(columns, isUsed).filter(\.1).map(\.0.name)
  }

  /// Returns the values of ``names``, a blank one as an empty text; `nil` for the number -1.
  func values(_ number: Int32) -> [String]? {
    if number < 0 { return nil }
    return zip(fields(number), isUsed).filter(\.1).map { String(decoding: $0.0, as: UTF8.self) }
  }

  /// The values of ``names`` in each record.
  var allValues: some Sequence<[String]> {
    (0..<records.count).lazy.compactMap { values(Int32($0)) }
  }

  /// Returns the values of ``names`` in one record, as CSV; `nil` for the number -1.
  func text(_ number: Int32) -> String? {
    values(number).map { $0.map(Self.quoted).joined(separator: ",") }
  }

  private func fields(_ number: Int32) -> [ArraySlice<UInt8>] {
    records[Int(number)].dropLast().split(separator: 0, omittingEmptySubsequences: false)
  }

  private static func quoted(_ value: String) -> String {
    let mustBeQuoted = value.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
    return mustBeQuoted ? value.quoted(by: "\"") : value
  }
}
