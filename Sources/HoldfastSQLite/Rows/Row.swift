#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// A row of a result: values by position or by column name.
///
/// Reading the current row of a statement does not copy its values. A row that is kept, for example
/// in an array, gets its own copy of the values before the statement moves on.
///
/// The subscripts trap when the column does not exist or does not convert, like an array with a
/// wrong index. For data that the program does not control, use `decode(_:forColumn:)` or
/// ``decode(_:atIndex:)``, which throw.
@safe
public final class Row {
  // These are read for each value, and never during a write: only one thread uses a row, and its
  // statement moves on only between two reads.
  @usableFromInline @exclusivity(unchecked) private(set) var statement: OpaquePointer?
  @usableFromInline @exclusivity(unchecked) var columnCount: Int

  /// The number of columns that are read from the statement; 0 while there is none.
  @usableFromInline @exclusivity(unchecked) private(set) var statementColumnCount: Int

  /// The statement while its cursor is paused; a suspension may copy the values then, and clear this.
  @exclusivity(unchecked) private var pausedStatement: OpaquePointer?

  /// Whether the row's cursor is paused, and the values are read inside the gate of their connection.
  @exclusivity(unchecked) private var isPaused = false

  // Not retained because it is used only during a pause: then the connection is alive.
  private let gateKeeper: Unmanaged<ConnectionHandle>?

  private(set) var layout: RowLayout
  private let sql: String?
  private var values: [DatabaseValue] = []

  /// The source of the row, if a row adapter made it.
  let adaptation: AdaptedSource?

  @exclusivity(unchecked) private var columnLookup = ColumnLookupCache()

  /// The decoder of the last record, reused for the next one.
  @exclusivity(unchecked) var spareDecoder: CodableRowDecoder?

  /// Creates the row of a statement, with its connection if that can be suspended.
  init(
    statement: OpaquePointer, sql: String, layout: RowLayout, gateKeeper: ConnectionHandle? = nil
  ) {
    unsafe self.gateKeeper = gateKeeper.map { unsafe Unmanaged.passUnretained($0) }
    unsafe self.statement = statement
    self.sql = sql
    self.layout = layout
    adaptation = nil
    unsafe columnCount = layout.names.count
    unsafe statementColumnCount = layout.names.count
  }

  /// Creates a row with its own values, for example to test `init(row:)`.
  ///
  /// - Parameter columns: Names and values, in order.
  public convenience init(_ columns: KeyValuePairs<String, (any DatabaseValueConvertible)?>) {
    self.init(names: columns.map(\.key), values: columns.map { $0.value?.databaseValue ?? .null })
  }

  /// Creates a row with its own values.
  convenience init(names: [String], values: [DatabaseValue]) {
    self.init(RowSource(values: values, layout: RowLayout(names: names), sql: nil))
  }

  /// Creates a row with the values of a statement's row.
  init(_ source: RowSource) {
    unsafe gateKeeper = nil
    unsafe statement = nil
    sql = source.sql
    layout = source.layout
    adaptation = nil
    unsafe columnCount = source.values.count
    unsafe statementColumnCount = 0
    values = source.values
  }

  /// Creates a row that an adapter makes of a statement's row.
  init(_ source: RowSource, _ layout: AdaptedLayout) {
    unsafe gateKeeper = nil
    unsafe statement = nil
    sql = source.sql
    self.layout = layout.layout
    adaptation = AdaptedSource(source, layout)
    unsafe columnCount = layout.indexes.count
    unsafe statementColumnCount = 0
    values = layout.indexes.map { source.values[$0] }
  }

  /// Creates a row with a copy of another one's values.
  init(copying row: Row) {
    unsafe gateKeeper = nil
    layout = row.layout
    adaptation = row.adaptation
    unsafe columnCount = row.count
    unsafe statementColumnCount = 0
    sql = row.sql
    unsafe statement = nil
    values = row.databaseValues
  }

  /// Whether a statement returned the row, or the one of which it is a copy.
  var isFetched: Bool { sql != nil }

  /// Whether the row has its own values.
  package var isDetached: Bool { unsafe statement == nil && !isPaused }

  /// Copies the values, because the statement is about to move on.
  func detach() {
    endPause()
    if let statement = unsafe statement { values = unsafe values(of: statement) }
    unsafe read(nil)
    unsafe columnLookup = ColumnLookupCache()
    unsafe spareDecoder = nil
  }

  /// Reads the values of a statement, or, without one, those that the row has.
  private func read(_ statement: OpaquePointer?) {
    unsafe self.statement = statement
    unsafe statementColumnCount = unsafe statement == nil ? 0 : columnCount
  }

  private func values(of statement: OpaquePointer) -> [DatabaseValue] {
    (0..<count).map { index in
      unsafe StatementColumn(statement: statement, index: CInt(index)).databaseValue
    }
  }

  // MARK: - Pauses

  /// Makes the row read its values inside the gate, because its cursor leaves it.
  func beginPause() {
    guard let statement = unsafe statement else { return }
    unsafe pausedStatement = statement
    unsafe isPaused = true
    unsafe read(nil)
  }

  /// Makes the row read its values directly again, because its cursor is inside.
  func endPause() {
    guard unsafe isPaused else { return }
    unsafe isPaused = false
    guard let statement = unsafe pausedStatement else { return }
    unsafe pausedStatement = nil
    unsafe read(statement)
  }

  /// Copies the values of a paused row, which its statement is about to lose.
  ///
  /// It is called by the thread of a suspension, and changes nothing that the access reads outside of the gate.
  func copyPausedValues() {
    guard let statement = unsafe pausedStatement else { return }
    values = unsafe values(of: statement)
    unsafe pausedStatement = nil
  }

  /// Enters the gate to read a column during a pause, until ``leavePausedColumn()``.
  ///
  /// - Returns: The column; `nil` when the row has its own values, which a suspension may have copied meanwhile.
  @usableFromInline
  func enterPausedColumn(at index: Int) -> StatementColumn? {
    guard unsafe isPaused, let gateKeeper = unsafe gateKeeper,
      unsafe gateKeeper.withBorrowed({ $0.entersIfPresent() })
    else { return nil }
    guard let statement = unsafe pausedStatement else {
      leavePausedColumn()
      return nil
    }
    return unsafe StatementColumn(statement: statement, index: CInt(truncatingIfNeeded: index))
  }

  @usableFromInline
  func leavePausedColumn() {
    unsafe gateKeeper?.withBorrowed { $0.leave(interruptedStatement: false) }
  }

  /// Releases a statement that was finalized with its connection; the row is not read any more.
  func forget() {
    endPause()
    guard unsafe statement != nil else { return }
    values = Array(repeating: .null, count: count)
    unsafe read(nil)
    unsafe columnLookup = ColumnLookupCache()
    unsafe spareDecoder = nil
  }

  /// Changes the columns, because the statement was prepared again after a schema change.
  func reshape(_ layout: RowLayout) {
    self.layout = layout
    unsafe columnCount = layout.names.count
    unsafe read(statement)
    unsafe columnLookup = ColumnLookupCache()
    unsafe spareDecoder = nil
  }

  // MARK: - Shape

  /// The number of columns.
  @inlinable public var count: Int { unsafe columnCount }

  /// The columns' names, in order.
  public var columnNames: [String] { layout.names }

  /// All values, in order.
  public var databaseValues: [DatabaseValue] {
    (0..<count).map { databaseValue(at: $0) }
  }

  /// Returns whether there is a column of the given name, which is case-insensitive.
  public func hasColumn(_ name: String) -> Bool {
    layout.index(of: name) != nil
  }

  // MARK: - Values

  /// The value at a position, as `Int64`, `Double`, `String` or `Data`; `nil` for NULL.
  public subscript(_ index: Int) -> (any DatabaseValueConvertible)? {
    storedValue(at: index).storage.value
  }

  /// The value at a position, converted.
  @inlinable
  public subscript<Value: DatabaseValueConvertible>(_ index: Int) -> Value {
    value(Value.self, at: index) ?? trapping(at: index)
  }

  /// The value of a column, as `Int64`, `Double`, `String` or `Data`; `nil` for NULL, and when there is
  /// no such column.
  public subscript(_ name: String) -> (any DatabaseValueConvertible)? {
    index(of: name).flatMap { databaseValue(at: $0).storage.value }
  }

  /// The value of a column, converted; of several columns of that name, the first is used.
  ///
  /// An optional value is `nil` when there is no such column.
  @inlinable
  public subscript<Value: DatabaseValueConvertible>(_ name: String) -> Value {
    guard let index = index(of: name) else { return absentValue(forColumn: name) }
    return value(Value.self, at: index) ?? trapping(at: index)
  }

  /// The value of a column, as `Int64`, `Double`, `String` or `Data`; `nil` for NULL, and when there is
  /// no such column.
  public subscript(_ column: some ColumnExpression) -> (any DatabaseValueConvertible)? {
    self[column.name]
  }

  /// The value of a column, converted; of several columns of that name, the first is used.
  ///
  /// An optional value is `nil` when there is no such column.
  @inlinable
  public subscript<Value: DatabaseValueConvertible>(_ column: some ColumnExpression) -> Value {
    self[column.name]
  }

  /// Returns the value at a position, converted.
  ///
  /// - Parameters:
  ///   - type: The expected type.
  ///   - index: The column's position, from 0.
  /// - Returns: The value; `nil` for NULL, of an optional type.
  /// - Throws: ``RowDecodingError`` when there is no such column or its value does not convert.
  @inlinable
  public func decode<Value: DatabaseValueConvertible>(
    _ type: Value.Type = Value.self, atIndex index: Int
  ) throws(RowDecodingError) -> Value {
    guard let value = value(Value.self, at: index) else { throw error(Value.self, at: index) }
    return value
  }

  /// Returns the value of a column, converted; of several columns of that name, the first is used.
  ///
  /// - Parameters:
  ///   - type: The expected type.
  ///   - name: The column's name, which is case-insensitive.
  /// - Returns: The value; `nil` for NULL, of an optional type.
  /// - Throws: ``RowDecodingError`` when the value does not convert, or when there is no such
  ///   column and the type is not optional.
  @inlinable
  public func decode<Value: DatabaseValueConvertible>(
    _ type: Value.Type = Value.self, forColumn name: String
  ) throws(RowDecodingError) -> Value {
    guard let index = index(of: name) else {
      if let value = Value.fromMissingColumn() { return value }
      throw error(Value.self, forMissingColumn: name)
    }
    guard let value = value(Value.self, at: index) else { throw error(Value.self, at: index) }
    return value
  }

  /// Returns the value of a column, converted; of several columns of that name, the first is used.
  ///
  /// - Parameters:
  ///   - type: The expected type.
  ///   - column: The column.
  /// - Returns: The value; `nil` for NULL, of an optional type.
  /// - Throws: ``RowDecodingError`` when the value does not convert, or when there is no such
  ///   column and the type is not optional.
  @inlinable
  public func decode<Value: DatabaseValueConvertible>(
    _ type: Value.Type = Value.self, forColumn column: some ColumnExpression
  ) throws(RowDecodingError) -> Value {
    try decode(type, forColumn: column.name)
  }

  // MARK: - Reading, inlined where the type is known

  @inlinable
  func hasColumn(at index: Int) -> Bool {
    UInt(bitPattern: index) < UInt(bitPattern: count)
  }

  /// Returns the value at a position; `nil` when there is no such column or it does not convert.
  @inlinable
  func value<Value: DatabaseValueConvertible>(_ type: Value.Type, at index: Int) -> Value? {
    // One comparison for a row of a statement.
    guard unsafe UInt(bitPattern: index) < UInt(bitPattern: statementColumnCount) else {
      return otherValue(at: index)
    }
    return unsafe Value.fromColumn(
      StatementColumn(
        statement: statement.unsafelyUnwrapped, index: CInt(truncatingIfNeeded: index)))
  }

  // Separate, because it is the rare case and `value(_:at:)` is inlined for each property of a
  // record.
  @inlinable
  @inline(never)
  func otherValue<Value: DatabaseValueConvertible>(at index: Int) -> Value? {
    guard hasColumn(at: index) else { return nil }
    guard let column = enterPausedColumn(at: index) else {
      return Value.fromDatabaseValue(keptValue(at: index))
    }
    defer { leavePausedColumn() }
    return Value.fromColumn(column)
  }

  @inlinable
  @inline(never)
  func absentValue<Value: DatabaseValueConvertible>(forColumn name: String) -> Value {
    guard let value = Value.fromMissingColumn() else { trap(Value.self, forMissingColumn: name) }
    return value
  }

  @usableFromInline
  func index(of name: String) -> Int? {
    unsafe columnLookup.column(of: name) ?? unexpectedIndex(of: name)
  }

  @inline(never)
  private func unexpectedIndex(of name: String) -> Int? {
    guard let index = layout.index(of: name) else { return nil }
    // A row with its own values is mostly read once; the row of a statement is read repeatedly, also
    // if it copies its values each time.
    if unsafe statement != nil || isPaused || !columnLookup.isEmpty {
      unsafe columnLookup.learn(name, is: index, of: count)
    }
    return index
  }

  @usableFromInline
  func keptValue(at index: Int) -> DatabaseValue {
    values[index]
  }

  /// Returns the stored value at a position, which must exist.
  func storedValue(at index: Int) -> DatabaseValue {
    guard hasColumn(at: index) else { Misuse.trap(Misuse.noColumn(at: index, count: count)) }
    return databaseValue(at: index)
  }

  private func databaseValue(at index: Int) -> DatabaseValue {
    guard let statement = unsafe statement else {
      guard let column = enterPausedColumn(at: index) else { return values[index] }
      defer { leavePausedColumn() }
      return column.databaseValue
    }
    return unsafe StatementColumn(statement: statement, index: CInt(index)).databaseValue
  }

  // MARK: - Errors

  @usableFromInline
  func error(_ type: Any.Type, at index: Int) -> RowDecodingError {
    guard hasColumn(at: index) else {
      return RowDecodingError(
        column: "\(index)", storedType: nil, expectedType: "\(type)", sql: sql, row: shape)
    }
    return RowDecodingError(
      column: layout.names[index], storedType: databaseValue(at: index).typeName,
      expectedType: "\(type)", sql: sql, row: shape)
  }

  /// The names of the columns with the storage classes of their values, without the values.
  private var shape: String {
    let columns = zip(columnNames, databaseValues).map { "\($0): \($1.typeName)" }
    return "[" + columns.joined(separator: ", ") + "]"
  }

  @usableFromInline
  func error(_ type: Any.Type, forMissingColumn name: String) -> RowDecodingError {
    RowDecodingError(
      column: name, storedType: nil, expectedType: "\(type)", sql: sql, row: shape)
  }

  // It has a return type, because a path that never returns would prevent the compiler from
  // building the record in place.
  @inlinable
  @inline(never)
  func trapping<Value>(at index: Int) -> Value {
    trap(Value.self, at: index)
  }

  @usableFromInline
  func trap(_ type: Any.Type, at index: Int) -> Never {
    Misuse.trap(error(type, at: index).description)
  }

  @usableFromInline
  func trap(_ type: Any.Type, forMissingColumn name: String) -> Never {
    Misuse.trap(error(type, forMissingColumn: name).description)
  }
}

extension DatabaseValue.Storage {
  /// The value as `Int64`, `Double`, `String` or `Data`; `nil` for NULL.
  public var value: (any DatabaseValueConvertible)? {
    switch self {
    case .null: nil
    case .int64(let value): value
    case .double(let value): value
    case .string(let value): value
    case .blob(let value): value
    }
  }
}

extension Row: CustomStringConvertible {
  /// The names and values, for debuggers and test messages.
  public var description: String {
    "[" + zip(columnNames, databaseValues).map { "\($0): \($1)" }.joined(separator: ", ") + "]"
  }
}
