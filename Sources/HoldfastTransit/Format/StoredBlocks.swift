/// The numbers of a trip, and its `trip_id`.
struct StoredTrip: Equatable {
  var tid: Int64
  /// The number of the pattern that contains the trip.
  var pid: Int64
  var tripID: String
}

/// The `trip_id`s of up to ``most`` trips with their numbers, as the database stores them in one blob.
struct StoredTrips {
  /// The number of trips in a blob.
  static let most = 64

  /// The trips by their numbers.
  var trips: [StoredTrip]

  init(_ trips: [StoredTrip]) {
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
      trips.append(StoredTrip(tid: tids[index], pid: pids[index], tripID: tripIDs[index]))
    }
  }

  /// Returns the `trip_id` of one of the trips in a blob; `nil` when it is not there.
  static func tripID(_ tid: Int64, in bytes: [UInt8]) throws(DamagedBytes) -> String? {
    var reader = ByteReader(bytes)
    let count = try reader.count(upTo: most)
    guard let index = try IntegerColumn.read(count, from: &reader).firstIndex(of: tid) else {
      return nil
    }
    try IntegerColumn.skip(count, in: &reader)
    return try FrontCodedTexts.read(at: index, from: &reader)
  }
}

/// Texts in their order, as the database stores some of them in one blob.
struct StoredTexts {
  /// The number of texts with consecutive numbers in a blob.
  static let most = 64
  /// The number of different words of names in a blob, in the order of their bytes.
  static let mostWords = 4096

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

  init(_ bytes: [UInt8], upTo most: Int = StoredTexts.most) throws(DamagedBytes) {
    var reader = ByteReader(bytes)
    texts = try FrontCodedTexts.read(try reader.count(upTo: most), from: &reader)
    try reader.end()
  }

  /// Returns one of the texts in a blob; `nil` when there are fewer.
  static func text(at index: Int, in bytes: [UInt8]) throws(DamagedBytes) -> String? {
    var reader = ByteReader(bytes)
    guard index < (try reader.count(upTo: most)) else { return nil }
    return try FrontCodedTexts.read(at: index, from: &reader)
  }
}

/// The numbers of the patterns that call at up to ``most`` stops, as the database stores them in one
/// blob.
///
/// Neighbors mostly have the same patterns, so that each number occurs several times in a blob.
struct StoredStopPatterns: Sendable {
  /// The patterns of one stop.
  struct Stop: Equatable, Sendable {
    var sid: Int64
    /// The numbers, sorted.
    var pids: [Int64]
  }

  /// The number of stops in a blob.
  static let most = 64
  /// The number of patterns from which on a blob gets no further stop, so that each is quickly read.
  static let enough = 1024
  /// The largest number of patterns of a stop, and of the stops in a blob together.
  private static let mostPatterns = 1 << 18

  /// The stops by their numbers.
  var stops: [Stop]

  init(stops: [Stop]) {
    self.stops = stops
  }

  /// Returns stops in as few blobs as hold them.
  static func blobs(of stops: [Stop]) -> [StoredStopPatterns] {
    var blobs: [StoredStopPatterns] = []
    var count = 0
    for stop in stops {
      if blobs.isEmpty || blobs[blobs.count - 1].stops.count == most || count >= enough
        || count + stop.pids.count > mostPatterns
      {
        blobs.append(StoredStopPatterns(stops: []))
        count = 0
      }
      blobs[blobs.count - 1].stops.append(stop)
      count += stop.pids.count
    }
    return blobs
  }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.append(count: stops.count)
    IntegerColumn.append(stops.map(\.sid), to: &writer)
    IntegerColumn.append(stops.map { Int64($0.pids.count) }, to: &writer)
    IntegerColumn.append(stops.flatMap(\.pids), to: &writer)
    return writer.bytes
  }

  init(_ bytes: [UInt8]) throws(DamagedBytes) {
    var reader = ByteReader(bytes)
    let count = try reader.count(upTo: Self.most)
    let sids = try IntegerColumn.read(count, from: &reader)
    let counts = try IntegerColumn.read(UInt32.self, count, from: &reader)
    let total = counts.reduce(0) { $0 + Int($1) }
    guard total <= Self.mostPatterns else { throw DamagedBytes() }
    let pids = try IntegerColumn.read(total, from: &reader)
    try reader.end()
    stops = []
    var start = 0
    for index in 0..<count {
      let end = start + Int(counts[index])
      let own = pids[start..<end]
      guard index == 0 || sids[index - 1] < sids[index],
        zip(own, own.dropFirst()).allSatisfy({ $0 < $1 })
      else { throw DamagedBytes() }
      stops.append(Stop(sid: sids[index], pids: Array(own)))
      start = end
    }
  }
}
