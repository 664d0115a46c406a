import CFloor

/// A connection of the C side.
@safe
final class Floor {
  private let database: OpaquePointer

  static var sqliteVersion: String { unsafe String(cString: floor_sqlite_version()) }

  init(path: String) throws {
    guard let database = unsafe floor_open(path) else {
      throw BenchmarkError.floor("open", message: path)
    }
    unsafe self.database = database
  }

  deinit {
    unsafe floor_close(database)
  }

  func execute(_ sql: String) throws {
    guard unsafe floor_execute(database, sql) else { throw failure("run \(sql)") }
  }

  func insert(_ places: FloorPlaces) throws {
    guard unsafe floor_insert(database, places.pointer) else { throw failure("insert") }
  }

  func scan() throws -> FloorPlaces {
    guard let places = unsafe floor_scan(database) else { throw failure("scan") }
    return unsafe FloorPlaces(pointer: places)
  }

  func lookUp(_ ids: [Int64]) throws -> FloorPlaces {
    guard let places = unsafe floor_lookup(database, ids, Int64(ids.count)) else {
      throw failure("look up")
    }
    return unsafe FloorPlaces(pointer: places)
  }

  /// Reads ranges of keys of one length, the last key of each first.
  func readRanges(from firsts: [Int64], length: Int) throws -> FloorPlaces {
    guard
      let places = unsafe floor_ranges(database, firsts, Int64(firsts.count), Int64(length))
    else { throw failure("read ranges") }
    return unsafe FloorPlaces(pointer: places)
  }

  /// Reads the row of the check at launch and the status of each root, and returns how many exist.
  func launchCheck(_ roots: [String]) throws -> Int {
    let rootCount = roots.count
    let count = unsafe roots.withCStrings { roots in
      unsafe floor_launch_check(database, roots, Int64(rootCount))
    }
    guard count >= 0 else { throw failure("check at launch") }
    return Int(count)
  }

  private func failure(_ step: String) -> BenchmarkError {
    unsafe .floor(step, message: String(cString: floor_message(database)))
  }
}

/// A connection of the C side that keeps its statements prepared.
@safe
final class FloorSession {
  private let session: OpaquePointer
  private let path: String

  init(path: String, settings: String) throws {
    guard let session = unsafe floor_session_open(path, settings) else {
      throw BenchmarkError.floor("open", message: path)
    }
    unsafe self.session = session
    self.path = path
  }

  deinit {
    unsafe floor_session_close(session)
  }

  func read(_ ids: [Int64]) throws -> FloorPlaces {
    guard let places = unsafe floor_session_read(session, ids, Int64(ids.count)) else {
      throw BenchmarkError.floor("read", message: path)
    }
    return unsafe FloorPlaces(pointer: places)
  }

  func write(_ places: FloorPlaces) throws {
    guard unsafe floor_session_write(session, places.pointer) else {
      throw BenchmarkError.floor("write", message: path)
    }
  }

  /// Reads with two sessions while this one writes, and returns how many rows were found.
  func write(beside first: FloorSession, _ second: FloorSession, reading ids: [Int64]) -> UInt64 {
    unsafe UInt64(
      floor_read_beside_writer(
        first.session, second.session, session, ids, Int64(ids.count)))
  }
}

/// A connection of the C side that reads, and keeps nothing of what it reads.
@safe
final class FloorReading {
  private let reading: OpaquePointer
  private let path: String

  init(path: String, settings: String) throws {
    guard let reading = unsafe floor_reading_open(path, settings) else {
      throw BenchmarkError.floor("open", message: path)
    }
    unsafe self.reading = reading
    self.path = path
  }

  deinit {
    unsafe floor_reading_close(reading)
  }

  /// Reads all rows of a statement, or its first row for each of some ids.
  ///
  /// - Returns: The sum of the numbers and of the counts of copied bytes.
  func read(_ sql: String, _ work: floor_work, ids: [Int64]?) throws -> UInt64 {
    let sum = unsafe floor_read(reading, sql, work, ids, Int64(ids?.count ?? 0))
    guard sum >= 0 else { throw BenchmarkError.floor("read", message: path) }
    return UInt64(sum)
  }
}

/// Operations of the C side that are timed one by one.
enum FloorTimes {
  /// Returns the times from a commit to the thread that receives its value, in nanoseconds.
  static func observe(path: String, settings: String, count: Int) throws -> Times {
    try unsafe times(count, of: "observe", path) { times in
      unsafe floor_observe(path, settings, Int64(count), times)
    }
  }

  /// Returns the times of closing all connections of a database, in microseconds.
  static func suspend(path: String, copy: String?, count: Int) throws -> Times {
    let nanoseconds = try unsafe times(count, of: "suspend", path) { times in
      unsafe floor_suspend(path, copy, Int64(count), times)
    }
    return Times(nanoseconds.sorted.map { $0 / 1e3 })
  }

  private static func times(
    _ count: Int, of step: String, _ path: String,
    _ body: (UnsafeMutablePointer<Double>) -> Bool
  ) throws -> Times {
    var times = [Double](repeating: 0, count: count)
    let isDone = unsafe times.withUnsafeMutableBufferPointer { times in
      unsafe times.baseAddress.map { unsafe body($0) } ?? false
    }
    guard isDone else { throw BenchmarkError.floor(step, message: path) }
    return Times(times)
  }
}

/// Rows in the memory of the C side.
@safe
final class FloorPlaces {
  fileprivate let pointer: OpaquePointer

  fileprivate init(pointer: OpaquePointer) {
    unsafe self.pointer = pointer
  }

  init(_ places: [Place]) {
    unsafe pointer = floor_places_make()
    for place in places {
      unsafe floor_places_add(
        pointer, place.id, place.name, place.code, place.lat, place.lon, place.flag ? 1 : 0)
    }
  }

  deinit {
    unsafe floor_places_free(pointer)
  }

  var digest: UInt64 { unsafe floor_places_digest(pointer) }
}
