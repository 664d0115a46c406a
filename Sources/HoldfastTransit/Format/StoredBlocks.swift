/// The `trip_id`s of up to ``most`` trips with their numbers, as the database stores them in one blob.
struct StoredTrips {
  struct Trip: Equatable {
    var tid: Int64
    /// The number of the pattern that contains the trip.
    var pid: Int64
    var tripID: String
  }

  /// The number of trips in a blob.
  static let most = 64

  /// The trips by their numbers.
  var trips: [Trip]

  init(_ trips: [Trip]) {
    self.trips = trips
  }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.append(count: trips.count)
    IntegerColumn.append(trips.map(\.tid), to: &writer)
    IntegerColumn.append(trips.map(\.pid), to: &writer)
    FrontCodedTexts.append(trips.lazy.map(\.tripID), to: &writer)
    return writer.bytes
  }

  /// Returns the number of trips in a blob, with which it begins.
  static func count(_ bytes: [UInt8]) throws(DamagedBytes) -> Int {
    var reader = ByteReader(bytes)
    return try reader.count(upTo: most)
  }

  init(_ bytes: [UInt8]) throws(DamagedBytes) {
    var reader = ByteReader(bytes)
    let count = try reader.count(upTo: Self.most)
    let tids = try IntegerColumn.read(count, from: &reader)
    let pids = try IntegerColumn.read(count, from: &reader)
    let tripIDs = try FrontCodedTexts.read(count, from: &reader)
    try reader.end()
    trips = []
    for index in 0..<count {
      guard index == 0 || tids[index - 1] < tids[index] else { throw DamagedBytes() }
      trips.append(Trip(tid: tids[index], pid: pids[index], tripID: tripIDs[index]))
    }
  }
}

/// Up to ``most`` texts with consecutive numbers, as the database stores them in one blob.
struct StoredTexts {
  /// The number of texts in a blob.
  static let most = 64

  var texts: [String]

  init(_ texts: [String]) {
    self.texts = texts
  }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.append(count: texts.count)
    FrontCodedTexts.append(texts, to: &writer)
    return writer.bytes
  }

  init(_ bytes: [UInt8]) throws(DamagedBytes) {
    var reader = ByteReader(bytes)
    texts = try FrontCodedTexts.read(try reader.count(upTo: Self.most), from: &reader)
    try reader.end()
  }
}

/// The numbers of the patterns that call at a stop, as the database stores them in one blob.
struct StoredStopPatterns {
  /// The largest number of patterns of a stop.
  private static let most = 1 << 18

  /// The numbers, sorted.
  var pids: [Int64]

  init(_ pids: [Int64]) {
    self.pids = pids
  }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.append(count: pids.count)
    IntegerColumn.append(pids, to: &writer)
    return writer.bytes
  }

  init(_ bytes: [UInt8]) throws(DamagedBytes) {
    var reader = ByteReader(bytes)
    pids = try IntegerColumn.read(try reader.count(upTo: Self.most), from: &reader)
    try reader.end()
    guard zip(pids, pids.dropFirst()).allSatisfy({ $0 < $1 }) else { throw DamagedBytes() }
  }
}
