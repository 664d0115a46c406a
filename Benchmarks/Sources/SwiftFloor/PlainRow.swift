internal import CSQLiteCalls

/// The current row of a statement.
@safe
struct PlainRow {
  let statement: OpaquePointer

  @inline(__always)
  func int64(_ index: CInt) -> Int64? {
    let value = unsafe sqlite3_column_value(statement, index)
    guard unsafe sqlite3_value_type(value) == SQLITE_INTEGER else { return nil }
    return unsafe sqlite3_value_int64(value)
  }

  @inline(__always)
  func double(_ index: CInt) -> Double? {
    let value = unsafe sqlite3_column_value(statement, index)
    let type = unsafe sqlite3_value_type(value)
    guard type == SQLITE_FLOAT || type == SQLITE_INTEGER else { return nil }
    return unsafe sqlite3_value_double(value)
  }

  @inline(__always)
  func string(_ index: CInt) -> String? {
    let value = unsafe sqlite3_column_value(statement, index)
    guard unsafe sqlite3_value_type(value) == SQLITE_TEXT,
      let text = unsafe sqlite3_value_text(value)
    else { return nil }
    let count = unsafe Int(sqlite3_value_bytes(value))
    return unsafe String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }

  var place: PlainPlace? {
    @inline(__always) get {
      guard let id = int64(0), let name = string(1), let lat = double(3), let lon = double(4),
        let flag = int64(5)
      else { return nil }
      return PlainPlace(id: id, name: name, code: string(2), lat: lat, lon: lon, flag: flag != 0)
    }
  }
}
