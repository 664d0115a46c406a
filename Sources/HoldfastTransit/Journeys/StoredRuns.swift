/// The runs of a pattern as far as a search needs them: their trips, starts, timings and services.
struct StoredRuns {
  let trips: [Int64]
  let starts: [Int32]
  let timings: [Int32]
  let services: [Int32]
  /// The stored `wheelchair_accessible`, one more than the value; empty if all are blank.
  private(set) var access: [Int64] = []

  private static let wheelchairBit: UInt64 = 5

  init(_ bytes: [UInt8], timings count: Int) throws(DamagedBytes) {
    var reader = ByteReader(bytes)
    let runs = try reader.count(upTo: StoredPattern.Limit.runs)
    let stored = try reader.unsigned()
    trips = try IntegerColumn.read(runs, from: &reader)
    starts = try IntegerColumn.read(Int32.self, runs, from: &reader)
    timings = try IntegerColumn.read(Int32.self, runs, from: &reader)
    services = try IntegerColumn.read(Int32.self, runs, from: &reader)
    for index in 0..<runs {
      guard trips[index] > 0, services[index] > 0, timings[index] >= 0, timings[index] < count
      else { throw DamagedBytes() }
    }
    guard stored >> Self.wheelchairBit & 1 == 1 else { return }
    for bit in 0...Self.wheelchairBit where stored >> bit & 1 == 1 {
      access = try IntegerColumn.read(runs, from: &reader)
    }
  }

  /// The indices of the runs by their starts, and then by their trips, in whose order they are stored.
  var order: some Sequence<Int> {
    starts.enumerated().map { Int64($1) << 32 | Int64($0) }.sorted().lazy
      .map { Int($0 & 0xffff_ffff) }
  }
}
