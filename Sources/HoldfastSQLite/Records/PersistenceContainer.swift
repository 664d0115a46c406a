import Foundation

/// The values of a record's columns, in the order in which the record sets them.
///
/// ```swift
/// func encode(to container: inout PersistenceContainer) {
///   container["id"] = id
///   container["name"] = name
/// }
/// ```
///
/// A column that is set twice has its last value. A record that sets its columns in the same order
/// each time is stored fastest.
public struct PersistenceContainer {
  /// The columns that are set, and after them those that the record before set.
  @usableFromInline var columns: ContiguousArray<String> = []
  @usableFromInline var cells: ContiguousArray<PackedValue> = []

  /// Texts and blobs, so that a row needs no memory of its own.
  @usableFromInline var bytes: ContiguousArray<UInt8> = []

  /// Whether all of ``columns`` are ASCII.
  @usableFromInline var areColumnsASCII = true

  /// Which list of columns this is, in the numbers of a ``RecordStatementCache``; 0 for an unknown
  /// one.
  @usableFromInline var shape = 0

  /// The encoder of the previous record, reused for the next one.
  var encoder: RecordEncoder?

  @usableFromInline
  init() {}

  /// Creates a container with the values of a record.
  ///
  /// - Parameter record: The record to encode.
  /// - Throws: Whatever the record's `encode(to:)` throws.
  init(_ record: some EncodableRecord) throws {
    try record.encode(to: &self)
    closeColumns()
  }

  // MARK: - Setting

  /// The value of a column; `nil` is NULL.
  ///
  /// A column that was not set reads as `nil`.
  @_disfavoredOverload
  public subscript(_ column: String) -> (any DatabaseValueConvertible)? {
    get { value(of: column).flatMap { $0.isNull ? nil : $0 } }
    set { set(newValue?.databaseValue ?? .null, for: column) }
  }

  /// The value of a column of a known type; `nil` is NULL.
  ///
  /// A column that was not set, or does not convert, reads as `nil`.
  @inlinable
  public subscript<Value: DatabaseValueConvertible>(_ column: String) -> Value? {
    get { value(of: column).flatMap { Value.fromDatabaseValue($0) } }
    set {
      if let newValue {
        set(newValue.databaseValue, for: column)
      } else {
        set(PackedValue.null, for: column)
      }
    }
  }

  /// The value of a column; `nil` is NULL.
  @_disfavoredOverload
  public subscript(_ column: some ColumnExpression) -> (any DatabaseValueConvertible)? {
    get { self[column.name] }
    set { self[column.name] = newValue }
  }

  /// The value of a column of a known type; `nil` is NULL.
  @inlinable
  public subscript<Value: DatabaseValueConvertible>(_ column: some ColumnExpression) -> Value? {
    get { self[column.name] }
    set { self[column.name] = newValue }
  }

  @inlinable
  mutating func set(_ value: DatabaseValue, for column: String) {
    guard case .stored(let storage) = value.content else {
      return setInvalidText(value, for: column)
    }
    switch storage {
    case .null: set(PackedValue.null, for: column)
    case .int64(let value): set(PackedValue.int64(value), for: column)
    case .double(let value): set(PackedValue.double(value), for: column)
    case .string(let text): set(text, for: column)
    case .blob(let data):
      let start = bytes.count
      bytes.append(contentsOf: data)
      set(PackedValue.blob(start..<bytes.count), for: column)
    }
  }

  @usableFromInline
  mutating func setInvalidText(_ value: DatabaseValue, for column: String) {
    guard case .invalidText(let data) = value.content else { return }
    let start = bytes.count
    bytes.append(contentsOf: data)
    set(PackedValue.text(start..<bytes.count), for: column)
  }

  @inlinable
  mutating func set(_ text: String, for column: String) {
    let start = bytes.count
    // Appending contiguous bytes costs less than appending the view.
    let isAppended: Void? = unsafe text.utf8.withContiguousStorageIfAvailable {
      unsafe bytes.append(contentsOf: $0)
    }
    if isAppended == nil { bytes.append(contentsOf: text.utf8) }
    set(PackedValue.text(start..<bytes.count), for: column)
  }

  @inlinable
  mutating func set(_ cell: PackedValue, for column: String) {
    let index = cells.count
    // Swift finds more names equal than SQL does; in ASCII those of one length are the same.
    if index < columns.count, columns[index] == column,
      areColumnsASCII
        ? columns[index].utf8.count == column.utf8.count : isColumn(column, at: index)
    {
      cells.append(cell)
    } else {
      setOutOfOrder(cell, for: column)
    }
  }

  /// Sets a column that the record before did not set at this index.
  @usableFromInline
  mutating func setOutOfOrder(_ cell: PackedValue, for column: String) {
    if let index = exactIndex(of: column) {
      cells[index] = cell
      return
    }
    closeColumns()
    shape = 0
    if !column.utf8.allSatisfy({ $0 < 0x80 }) { areColumnsASCII = false }
    columns.append(column)
    cells.append(cell)
  }

  @usableFromInline
  func isColumn(_ column: String, at index: Int) -> Bool {
    columns[index].hasSameBytes(as: column)
  }

  /// Returns the index of a column whose name has the same bytes.
  private func exactIndex(of column: String) -> Int? {
    columns[..<cells.count].firstIndex { $0.hasSameBytes(as: column) }
  }

  /// Drops the columns that only the record before set.
  mutating func closeColumns() {
    guard columns.count > cells.count else { return }
    columns.removeSubrange(cells.count...)
    shape = 0
  }

  /// Makes the container ready for the next record, which mostly has the same columns.
  mutating func removeValues() {
    cells.removeAll(keepingCapacity: true)
    // A blob of many megabytes is not worth keeping its memory.
    bytes.removeAll(keepingCapacity: bytes.count < 1 << 16)
  }

  // MARK: - Reading

  /// The values, in the order of the columns.
  var values: [DatabaseValue] { cells.map(value(in:)) }

  /// The columns with their values, in the order in which they were set.
  var pairs: Zip2Sequence<ArraySlice<String>, [DatabaseValue]> {
    zip(Array(columns)[..<cells.count], values)
  }

  /// Returns the index of a column, whose name is case-insensitive.
  func index(of column: String) -> Int? {
    if let index = exactIndex(of: column) { return index }
    let folded = column.foldedDatabaseIdentifier
    return columns[..<cells.count].firstIndex { $0.foldedDatabaseIdentifier == folded }
  }

  /// Returns the value of a column, whose name is case-insensitive; `nil` when it was not set.
  @usableFromInline
  func value(of column: String) -> DatabaseValue? {
    index(of: column).map { value(in: cells[$0]) }
  }

  func isNull(at index: Int) -> Bool {
    if case .null = cells[index] { true } else { false }
  }

  private func value(in cell: PackedValue) -> DatabaseValue {
    unsafe withBytes { unsafe cell.databaseValue(in: $0, kept: { _ in .null }) }
  }

  /// Calls the closure with the address of the bytes, which is never NULL.
  func withBytes<Result>(_ body: (UnsafeRawPointer) throws -> Result) rethrows -> Result {
    try unsafe bytes.withUnsafeBytes { bytes in
      if let address = bytes.baseAddress { return try unsafe body(address) }
      // Without bytes no address is read.
      return try unsafe withUnsafeBytes(of: 0) { try unsafe body($0.baseAddress!) }
    }
  }
}
