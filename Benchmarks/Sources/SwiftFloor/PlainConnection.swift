internal import CSQLiteCalls

/// A connection in plain Swift: what the language itself costs over SQLite's C interface, without a library.
///
/// Each value is asked for its storage class before it is read, as the library does, so that a text does not read
/// as 0. Each text becomes a `String`.
@safe
package final class PlainConnection {
  private let handle: OpaquePointer

  /// Opens a file that exists, and runs the settings; `nil` when SQLite refuses.
  package init?(path: String, settings: String) {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
    let code = unsafe sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK, let handle = unsafe handle,
      unsafe sqlite3_exec(handle, settings, nil, nil, nil) == SQLITE_OK
    else {
      unsafe sqlite3_close(handle)
      return nil
    }
    unsafe self.handle = handle
  }

  deinit {
    unsafe sqlite3_close(handle)
  }

  // MARK: - Read

  /// Returns the sum of the first column of all rows and of the lengths of the second; `nil` on an error.
  package func sumOfTwoColumns(_ sql: String) -> UInt64? {
    var sum: UInt64 = 0
    let isDone = reading(sql) { row in
      guard let id = row.int64(0), let name = row.string(1) else { return false }
      sum &+= UInt64(id) &+ UInt64(name.utf8.count)
      return true
    }
    return isDone ? sum : nil
  }

  /// Returns the sum of all places; `nil` on an error.
  package func sumOfPlaces(_ sql: String) -> UInt64? {
    var sum: UInt64 = 0
    let isDone = reading(sql) { row in
      guard let place = row.place else { return false }
      sum &+= place.sum
      return true
    }
    return isDone ? sum : nil
  }

  /// Returns all places; `nil` on an error.
  package func places(_ sql: String) -> [PlainPlace]? {
    var places: [PlainPlace] = []
    let isDone = reading(sql) { row in
      guard let place = row.place else { return false }
      places.append(place)
      return true
    }
    return isDone ? places : nil
  }

  /// Returns the places of some keys; `nil` on an error.
  package func places(_ sql: String, ids: [Int64]) -> [PlainPlace]? {
    guard let row = run(sql) else { return nil }
    defer { unsafe sqlite3_finalize(row.statement) }
    var places: [PlainPlace] = []
    for id in ids {
      unsafe sqlite3_bind_int64(row.statement, 1, id)
      guard unsafe sqlite3_step(row.statement) == SQLITE_ROW, let place = row.place else {
        return nil
      }
      places.append(place)
      unsafe sqlite3_reset(row.statement)
    }
    return end() ? places : nil
  }

  @inline(__always)
  private func reading(_ sql: String, _ body: (PlainRow) -> Bool) -> Bool {
    guard let row = run(sql) else { return false }
    defer { unsafe sqlite3_finalize(row.statement) }
    var code = unsafe sqlite3_step(row.statement)
    while code == SQLITE_ROW, body(row) { code = unsafe sqlite3_step(row.statement) }
    return code == SQLITE_DONE && end()
  }

  // MARK: - Write

  /// Inserts places with one statement, each value by its own type; false on an error.
  package func insert(_ places: [PlainPlace], _ sql: String) -> Bool {
    inserting(sql, places) { row, place in
      place.id.bind(row, 1)
      place.name.bind(row, 2)
      place.code.bind(row, 3)
      place.lat.bind(row, 4)
      place.lon.bind(row, 5)
      place.flag.bind(row, 6)
    }
  }

  /// Inserts places with one statement, the values of each in a literal of any values; false on an error.
  package func insertBoxed(_ places: [PlainPlace], _ sql: String) -> Bool {
    inserting(sql, places) { row, place in
      let values: [any PlainValue] = [
        place.id, place.name, place.code, place.lat, place.lon, place.flag,
      ]
      var index: CInt = 0
      for value in values {
        index += 1
        value.bind(row, index)
      }
    }
  }

  @inline(__always)
  private func inserting(
    _ sql: String, _ places: [PlainPlace], _ bind: (PlainRow, PlainPlace) -> Void
  ) -> Bool {
    guard let row = run(sql) else { return false }
    var isDone = true
    for place in places where isDone {
      bind(row, place)
      isDone = unsafe sqlite3_step(row.statement) == SQLITE_DONE
      unsafe sqlite3_reset(row.statement)
    }
    unsafe sqlite3_finalize(row.statement)
    return end() && isDone
  }

  // MARK: - Transactions

  private func run(_ sql: String) -> PlainRow? {
    guard unsafe sqlite3_exec(handle, "BEGIN", nil, nil, nil) == SQLITE_OK else { return nil }
    var statement: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    unsafe sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil)
    return unsafe statement.map { unsafe PlainRow(statement: $0) }
  }

  private func end() -> Bool {
    unsafe sqlite3_exec(handle, "COMMIT", nil, nil, nil) == SQLITE_OK
  }
}
