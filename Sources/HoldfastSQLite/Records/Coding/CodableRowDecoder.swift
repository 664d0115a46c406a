import Foundation

extension FetchableRecord where Self: Decodable {
  /// Creates a value from a row by its `Decodable` conformance.
  ///
  /// Each key is a column. A property whose type is not ``DatabaseValueConvertible`` is decoded as
  /// a single value, like an enum with raw values, or else from the column's text as JSON. One keyed
  /// property alone, such as another record, may have neither a column nor a scope: it is decoded from the row
  /// itself.
  ///
  /// - Parameter row: The row.
  /// - Throws: ``RowDecodingError`` when a column is missing or does not convert;
  ///   `DecodingError` from JSON, or when no case has the raw value.
  @inlinable
  public init(row: Row) throws {
    self = try row.withDecoder(for: Self.self) { (decoder: consuming any Decoder) in
      try Self(from: decoder)
    }
  }
}

extension Row {
  /// Returns the row as a record; `nil` for a type that is none.
  func record<T>(_ type: T.Type) throws -> T? {
    guard let type = type as? any FetchableRecord.Type else { return nil }
    return try type.init(row: self) as? T
  }

  /// Calls the closure with a decoder of the row: the last one if it served the same type.
  @usableFromInline
  func withDecoder<Value>(
    for record: any FetchableRecord.Type, at codingPath: [any CodingKey] = [],
    _ body: (consuming any Decoder) throws -> Value
  ) throws -> Value {
    // Taken out of the row, because the body may decode the row once more.
    var decoder: CodableRowDecoder?
    unsafe swap(&decoder, &spareDecoder)
    defer { unsafe CodableRowDecoder.recycle(&decoder, to: &spareDecoder) }
    do {
      return try body(CodableRowDecoder.renew(&decoder, of: self, for: record, at: codingPath))
    } catch var error as RowDecodingError where error.table == nil {
      error.table = (record as? any TableRecord.Type)?.databaseTableName
      throw error
    }
  }
}

/// A decoder of keyed values from the columns of a row.
///
/// The row keeps it for the next value of the same type. A decoder that is still referenced after
/// its value was decoded, by itself or by one of its containers, keeps the row instead and is
/// replaced.
@safe
final class CodableRowDecoder: Decoder {
  let record: any FetchableRecord.Type
  private let columns: RowColumns?
  private let hasScopes: Bool

  // Unmanaged because the row owns the decoder, and outlives the decoding of its record.
  private let borrowedRow: Unmanaged<Row>
  private var keptRow: Row?

  // Unchecked, because one thread uses the decoder of a row, and each access is a single load or store: a check
  // for each record costs more than they do.

  /// The columns by key, for each type of keys that has one byte.
  @exclusivity(unchecked) private var tables: [PositionTable] = []

  /// The key whose value has the columns of the row itself, in the last container.
  @exclusivity(unchecked) private var rootKey: (any CodingKey)?

  @safe
  private struct PositionTable {
    let keys: ObjectIdentifier
    let positions: UnsafeMutablePointer<Int16>
  }

  /// The position of a column that was not looked up yet.
  private static let unknown: Int16 = -1

  private init(_ row: Row, for record: any FetchableRecord.Type) {
    self.record = record
    unsafe borrowedRow = Unmanaged.passUnretained(row)
    hasScopes = row.adaptation?.layout.scopes.isEmpty == false
    columns = RowColumns(record.databaseColumnDecodingStrategy, of: row)
  }

  deinit {
    for table in unsafe tables { unsafe table.positions.deallocate() }
  }

  /// Returns the given decoder if it serves the same type, and a new one otherwise.
  fileprivate static func renew(
    _ decoder: inout CodableRowDecoder?, of row: Row, for record: any FetchableRecord.Type,
    at codingPath: [any CodingKey]
  ) -> CodableRowDecoder {
    if let decoder, decoder.record == record {
      if unsafe !decoder.path.isEmpty || !codingPath.isEmpty { unsafe decoder.path = codingPath }
      return decoder
    }
    let new = CodableRowDecoder(row, for: record)
    unsafe new.path = codingPath
    decoder = new
    return new
  }

  /// Keeps the decoder for the next row, unless something else references it.
  fileprivate static func recycle(
    _ decoder: inout CodableRowDecoder?, to spare: inout CodableRowDecoder?
  ) {
    if isKnownUniquelyReferenced(&decoder) {
      swap(&decoder, &spare)
    } else if let decoder {
      decoder.keptRow = decoder.row
    }
  }

  var row: Row { unsafe borrowedRow.withBorrowed { $0 } }

  // MARK: - Decoder

  /// The keys of the scopes of which the row is.
  @exclusivity(unchecked) private var path: [any CodingKey] = []

  var codingPath: [any CodingKey] { unsafe path }

  var userInfo: [CodingUserInfoKey: Any] { record.databaseDecodingUserInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    if unsafe rootKey != nil { unsafe rootKey = nil }
    return KeyedDecodingContainer(KeyedColumns<Key>(self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw RowDecodingError.noArray
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { WholeRow(decoder: self) }

  // MARK: - Scopes

  /// Returns the row of a key's scope; a column of that name comes first.
  func scope(of key: some CodingKey) -> Row? {
    guard hasScopes, !row.hasColumn(column(key.stringValue)) else { return nil }
    return row.scopesTree[key.stringValue]
  }

  /// Decodes the record of a scope; any other type has the strategies of the record around it.
  func decode<T: Decodable>(
    _ type: T.Type, from scope: Row, at key: any CodingKey
  ) throws -> T {
    if let record = try scope.record(type) { return record }
    return try scope.withDecoder(for: record, at: codingPath + [key]) {
      (decoder: consuming any Decoder) in
      try T(from: decoder)
    }
  }

  /// Decodes the value of a key that is neither a column nor a scope from the row itself.
  ///
  /// A row without scopes is a part of a record, as it is the whole of another one. That can be meant of one
  /// key only.
  func decodeRoot<T: Decodable>(_ type: T.Type, at key: any CodingKey) throws -> T {
    let isRecord = type is any FetchableRecord.Type
    // A record in itself would be decoded from the same row for ever.
    guard isRecord || !(type is any DatabaseValueConvertible.Type),
      ObjectIdentifier(type) != ObjectIdentifier(record)
    else {
      throw missingColumn(of: key, type)
    }
    if let rootKey = unsafe rootKey { throw RowDecodingError.noKeys(rootKey, key) }
    unsafe rootKey = key
    if let record = try row.record(type) { return record }
    defer { unsafe rootKey = key }
    return try T(from: RootDecoder(decoder: self, key: key, type: type))
  }

  fileprivate func missingColumn(of key: any CodingKey, _ type: Any.Type) -> RowDecodingError {
    row.error(type, forMissingColumn: column(key.stringValue))
  }

  // MARK: - Columns

  var keyNames: [String] { columns?.keyNames(of: row) ?? row.columnNames }

  /// Returns the name of a key's column.
  func column(_ name: String) -> String {
    guard let columns else { return name }
    return columns.column(of: name, in: row) ?? name
  }

  /// Whether the dates of a column have the format of `Date` itself.
  func readsDates(of column: String) -> Bool {
    if case .deferredToDate = record.databaseDateDecodingStrategy(for: column) {
      true
    } else {
      false
    }
  }

  /// Whether the data of a column is stored as by `Data` itself.
  func readsData(of column: String) -> Bool {
    if case .deferredToData = record.databaseDataDecodingStrategy(for: column) {
      true
    } else {
      false
    }
  }

  /// A table of the columns of a type's keys by their only byte; `nil` for keys of another size.
  ///
  /// The keys that the compiler makes are enums of one byte. Equal bytes are equal keys, so the
  /// name of a key is looked up once, not for each row.
  func positions<Key: CodingKey>(of type: Key.Type) -> UnsafeMutablePointer<Int16>? {
    // A row with its own values is mostly read once.
    guard MemoryLayout<Key>.size == 1, !row.isDetached else { return nil }
    let keys = ObjectIdentifier(type)
    if let table = unsafe tables.first(where: { $0.keys == keys }) { return unsafe table.positions }
    let positions = UnsafeMutablePointer<Int16>.allocate(capacity: 256)
    unsafe positions.initialize(repeating: Self.unknown, count: 256)
    unsafe tables.append(PositionTable(keys: keys, positions: positions))
    return unsafe positions
  }

  /// The value at a position; `nil` when there is no such column or it does not convert.
  @inline(__always)
  func value<Value: DatabaseValueConvertible>(at position: Int16) -> Value? {
    // Without a retain and a release for each property.
    unsafe borrowedRow.withBorrowed { $0.value(Value.self, at: Int(position)) }
  }

  /// The value of a key's column, whose position is noted.
  func value<Value: DatabaseValueConvertible>(
    of key: some CodingKey, noting position: UnsafeMutablePointer<Int16>?
  ) throws(RowDecodingError) -> Value {
    let column = column(key.stringValue)
    if let position = unsafe position, let index = row.index(of: column) {
      unsafe position.pointee = Int16(exactly: index) ?? Self.unknown
    }
    return try row.decode(Value.self, forColumn: column)
  }

  /// Returns whether there is a column, whose position is noted.
  func hasColumn(_ column: String, noting position: UnsafeMutablePointer<Int16>?) -> Bool {
    if let position = unsafe position, unsafe position.pointee != Self.unknown { return true }
    guard let index = row.layout.index(of: column) else { return false }
    if let position = unsafe position {
      unsafe position.pointee = Int16(exactly: index) ?? Self.unknown
    }
    return true
  }
}

/// A decoder of a value that has the columns of a row, and is no column itself.
private struct RootDecoder: Decoder {
  let decoder: CodableRowDecoder
  let key: any CodingKey
  let type: Any.Type

  var codingPath: [any CodingKey] { decoder.codingPath + [key] }
  var userInfo: [CodingUserInfoKey: Any] { decoder.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    decoder.container(keyedBy: type)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw decoder.missingColumn(of: key, type)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    throw decoder.missingColumn(of: key, type)
  }
}
