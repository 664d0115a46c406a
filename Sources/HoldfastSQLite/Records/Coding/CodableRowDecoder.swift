import Foundation

extension FetchableRecord where Self: Decodable {
  /// Creates a value from a row by its `Decodable` conformance.
  ///
  /// Each key is a column. A property whose type is not ``DatabaseValueConvertible`` is decoded as
  /// a single value, like an enum with raw values, or else from the column's text as JSON.
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
  /// Runs the closure with a decoder of the row: the last one if it was for the same type.
  @usableFromInline
  func withDecoder<Value>(
    for record: any FetchableRecord.Type, _ body: (consuming any Decoder) throws -> Value
  ) throws -> Value {
    // Taken out of the row, because the body may decode the row once more.
    var decoder: CodableRowDecoder?
    unsafe swap(&decoder, &spareDecoder)
    defer { unsafe CodableRowDecoder.giveBack(&decoder, to: &spareDecoder) }
    do {
      return try body(CodableRowDecoder.renew(&decoder, of: self, for: record))
    } catch var error as RowDecodingError where error.table == nil {
      error.table = (record as? any TableRecord.Type)?.databaseTableName
      throw error
    }
  }
}

/// A decoder of keyed values from the columns of a row.
///
/// The row keeps the decoder for the next value of the same type. If other code keeps the decoder,
/// the decoder keeps the row instead.
@safe
final class CodableRowDecoder: Decoder {
  // A variable for the question who else holds it.
  fileprivate private(set) var reading: RowReading

  // Unchecked because each row asks for one, and nothing runs while it is written.
  @exclusivity(unchecked) private var containers = CodingContainerCache()

  fileprivate init(_ reading: RowReading) {
    self.reading = reading
    unsafe reading.decoder = Unmanaged.passUnretained(self)
  }

  deinit {
    unsafe reading.decoder = nil
    // A container does not retain what it reads, which must outlive it. The release of the
    // container cannot be observed.
    if unsafe containers.areShared { unsafe _ = Unmanaged.passRetained(reading) }
  }

  /// Returns the last decoder if it was for the same type, and a new one otherwise.
  fileprivate static func renew(
    _ decoder: inout CodableRowDecoder?, of row: Row, for record: any FetchableRecord.Type
  ) -> CodableRowDecoder {
    if let decoder, decoder.reading.record == record { return decoder }
    let new = CodableRowDecoder(RowReading(row, by: record))
    decoder = new
    return new
  }

  /// Keeps the decoder for the next row, unless other code has kept it.
  fileprivate static func giveBack(
    _ decoder: inout CodableRowDecoder?, to spare: inout CodableRowDecoder?
  ) {
    if isKnownUniquelyReferenced(&decoder), decoder?.isKeptInPart == false {
      swap(&decoder, &spare)
    } else {
      decoder?.reading.holdRow()
    }
  }

  /// Whether other code has kept one of its containers, or a decoder of one column.
  private var isKeptInPart: Bool {
    unsafe containers.areShared || !isKnownUniquelyReferenced(&reading)
  }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { reading.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    unsafe containers.container(keyedBy: type) {
      KeyedDecodingContainer(KeyedColumns<Key>(reading))
    }
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw RowDecodingError.noArray
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    throw RowDecodingError.noSingleValue
  }
}

/// The state that a decoder and its containers share: a row, and the column of each key.
@safe
private final class RowReading {
  let record: any FetchableRecord.Type

  /// The decoder, as long as there is one.
  var decoder: Unmanaged<CodableRowDecoder>?

  private let columns: RowColumns?

  // Unowned and unchecked because a row outlives the creation of its record, and owns a decoder
  // that is kept for the next one. A decoder that is kept longer retains the row.
  private let lentRow: Unmanaged<Row>
  private var heldRow: Row?

  /// For the keys of each type that has one byte, their columns.
  private var places: [ObjectIdentifier: UnsafeMutablePointer<Int16>] = unsafe [:]

  /// The index of a column that was not looked up.
  static let unknown: Int16 = -1

  init(_ row: Row, by record: any FetchableRecord.Type) {
    self.record = record
    unsafe lentRow = Unmanaged.passUnretained(row)
    columns = RowColumns(record.databaseColumnDecodingStrategy, of: row)
  }

  deinit {
    unsafe places.values.forEach { unsafe $0.deallocate() }
  }

  var row: Row { unsafe lentRow._withUnsafeGuaranteedRef { $0 } }
  var userInfo: [CodingUserInfoKey: Any] { record.databaseDecodingUserInfo }

  /// Retains the row.
  func holdRow() { heldRow = row }

  /// Returns the name of a key's column.
  func column(_ name: String) -> String {
    guard let columns else { return name }
    return columns.column(of: name, in: row) ?? name
  }

  /// The decoder, or another one when it was deallocated.
  var anyDecoder: CodableRowDecoder {
    unsafe decoder?.takeUnretainedValue() ?? CodableRowDecoder(self)
  }

  var keyNames: [String] { columns?.keyNames(of: row) ?? row.columnNames }

  /// The columns of the keys of a type by their only byte; `nil` when they have another number.
  ///
  /// Compiler-generated keys have one byte, which determines their name, so the name need not be
  /// compared for each row.
  func places<Key: CodingKey>(of type: Key.Type) -> UnsafeMutablePointer<Int16>? {
    // A row of its own is read once, mostly.
    guard MemoryLayout<Key>.size == 1, !row.isDetached else { return nil }
    let key = ObjectIdentifier(type)
    if let places = unsafe places[key] { return unsafe places }
    let places = UnsafeMutablePointer<Int16>.allocate(capacity: 256)
    unsafe places.initialize(repeating: Self.unknown, count: 256)
    unsafe self.places[key] = places
    return unsafe places
  }

  /// Returns the value at a position; `nil` when there is no such column or it does not convert.
  @inline(__always)
  func value<Value: DatabaseValueConvertible>(at place: Int16) -> Value? {
    // Without a retain and a release for each property.
    unsafe lentRow._withUnsafeGuaranteedRef { $0.value(Value.self, at: Int(place)) }
  }

  /// Returns the value of a key's column at any position.
  func value<Value: DatabaseValueConvertible>(
    of key: some CodingKey, place: UnsafeMutablePointer<Int16>?
  ) throws(RowDecodingError) -> Value {
    let column = column(key.stringValue)
    if let place = unsafe place, let index = row.index(of: column) {
      unsafe place.pointee = Int16(exactly: index) ?? Self.unknown
    }
    return try row.decode(Value.self, forColumn: column)
  }
}

/// The columns of a row, by coding key.
///
/// The standard library copies it for each value that it requests. So it has no reference-counted
/// property, and its decoder keeps what it reads alive.
@safe
private struct KeyedColumns<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let lentReading: Unmanaged<RowReading>
  private let places: UnsafeMutablePointer<Int16>?

  private var reading: RowReading { unsafe lentReading._withUnsafeGuaranteedRef { $0 } }
  private var row: Row { reading.row }
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { reading.keyNames.compactMap(Key.init(stringValue:)) }

  init(_ reading: RowReading) {
    unsafe lentReading = Unmanaged.passUnretained(reading)
    unsafe places = reading.places(of: Key.self)
  }

  @inline(__always)
  private func value<Value: DatabaseValueConvertible>(_ key: Key) throws -> Value {
    guard let place = unsafe place(of: key) else { return try unsafe slowValue(key, place: nil) }
    let value: Value? = unsafe lentReading._withUnsafeGuaranteedRef { reading in
      unsafe reading.value(at: place.pointee)
    }
    if let value { return value }
    return try unsafe slowValue(key, place: place)
  }

  @inline(never)
  private func slowValue<Value: DatabaseValueConvertible>(
    _ key: Key, place: UnsafeMutablePointer<Int16>?
  ) throws -> Value {
    try unsafe reading.value(of: key, place: place)
  }

  /// Returns the address at which the index of a key's column is cached.
  @inline(__always)
  private func place(of key: Key) -> UnsafeMutablePointer<Int16>? {
    guard let places = unsafe places else { return nil }
    return unsafe places + Int(unsafeBitCast(key, to: UInt8.self))
  }

  func contains(_ key: Key) -> Bool { row.hasColumn(reading.column(key.stringValue)) }

  // A missing column is not NULL, unless the property is optional: then `decodeIfPresent` is
  // called.
  func decodeNil(forKey key: Key) throws -> Bool {
    let value: DatabaseValue = try value(key)
    return value.isNull
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try value(key)
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try value(key)
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try value(key)
  }

  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try value(key)
  }

  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try value(key)
  }

  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
    try value(key)
  }

  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
    try value(key)
  }

  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
    try value(key)
  }

  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try value(key)
  }

  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
    try value(key)
  }

  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
    try value(key)
  }

  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try value(key)
  }

  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try value(key)
  }

  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try value(key)
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try ColumnDecoder(reading, key: key, column: reading.column(key.stringValue)).value(type)
  }

  // One lookup each: the default looks up whether there is a column, whether it is NULL, and then
  // its value.

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try value(key)
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try value(key)
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try value(key)
  }

  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try value(key)
  }

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try value(key)
  }

  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    try value(key)
  }

  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    try value(key)
  }

  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    try value(key)
  }

  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try value(key)
  }

  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    try value(key)
  }

  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    try value(key)
  }

  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try value(key)
  }

  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try value(key)
  }

  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try value(key)
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    let column = reading.column(key.stringValue)
    guard let index = row.index(of: column), !row[index].isNull else { return nil }
    return try ColumnDecoder(reading, key: key, column: column).value(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    throw RowDecodingError.noContainer(at: key)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw RowDecodingError.noContainer(at: key)
  }

  // A class and the one it inherits from have their properties in one row.
  func superDecoder() throws -> any Decoder { reading.anyDecoder }
  func superDecoder(forKey key: Key) throws -> any Decoder { reading.anyDecoder }
}

/// A decoder of a value from one column: converted, as a single value, or from JSON.
private struct ColumnDecoder: Decoder {
  /// The error for a value that is not a single value, so that its column contains JSON.
  struct NeedsContainer: Error {}

  private let reading: RowReading
  private let key: any CodingKey
  private let column: String
  private var row: Row { reading.row }

  init(_ reading: RowReading, key: any CodingKey, column: String) {
    self.reading = reading
    self.key = key
    self.column = column
  }

  var codingPath: [any CodingKey] { [key] }
  var userInfo: [CodingUserInfoKey: Any] { reading.userInfo }
  var isNull: Bool { row[column].isNull }

  func value<T: Decodable>(_ type: T.Type) throws -> T {
    // Their strategies come before their own conformance.
    if type == Date.self, let date = try date() as? T { return date }
    if type == Data.self, let data = try data() as? T { return data }
    if let type = type as? any DatabaseValueConvertible.Type,
      let value = try row.decode(type, forColumn: column) as? T
    {
      return value
    }
    do {
      return try T(from: self)
    } catch is NeedsContainer {
      return try reading.record.databaseJSONDecoder(for: column).decode(type, from: json(for: type))
    }
  }

  private func date() throws(RowDecodingError) -> Date {
    let strategy = reading.record.databaseDateDecodingStrategy(for: column)
    if case .deferredToDate = strategy { return try row.decode(forColumn: column) }
    let value = try row.decode(DatabaseValue.self, forColumn: column)
    guard let date = strategy.decode(value) else { throw error(Date.self) }
    return date
  }

  private func data() throws(RowDecodingError) -> Data {
    let strategy = reading.record.databaseDataDecodingStrategy(for: column)
    guard case .custom(let decode) = strategy else { return try row.decode(forColumn: column) }
    let value = try row.decode(DatabaseValue.self, forColumn: column)
    guard let data = decode(value) else { throw error(Data.self) }
    return data
  }

  private func error(_ type: Any.Type) -> RowDecodingError {
    guard let index = row.layout.index(of: column) else {
      return row.error(type, forMissingColumn: column)
    }
    return row.error(type, at: index)
  }

  private func json<T>(for type: T.Type) throws(RowDecodingError) -> Data {
    do throws(RowDecodingError) {
      return try row.decode(forColumn: column)
    } catch {
      var error = error
      error.expectedType = "\(type)"
      throw error
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw NeedsContainer()
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw NeedsContainer()
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    SingleColumn(decoder: self)
  }
}

/// A single-value container of one column.
private struct SingleColumn: SingleValueDecodingContainer {
  let decoder: ColumnDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { decoder.isNull }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.value(type) }
}
