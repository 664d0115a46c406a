import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// What a board decodes of a row is what a whole decoding gives.
@Suite struct BoardColumnsTests {
  private static func pattern(_ random: inout SeededRandom) -> StoredPattern {
    let (hasDwell, hasBlanks) = (Bool.random(using: &random), Int.random(in: 0...3, using: &random))
    var sequence: Int32 = -1
    let types: [Int16?] = Bool.random(using: &random) ? [nil] : [nil, 0, 1, 2, 3]
    let calls = (0..<Int.random(in: 1...30, using: &random)).map { _ in
      sequence += Int32.random(in: 1...3, using: &random)
      return StoredPattern.Call(
        sid: Int64.random(in: 0...20, using: &random), sequence: sequence,
        pickupType: types.randomElement(using: &random) ?? nil,
        dropOffType: types.randomElement(using: &random) ?? nil,
        headsign: Int32.random(in: 0...1, using: &random),
        distance: Bool.random(using: &random) ? 1.5 : nil, others: 0)
    }
    let blank = TimetableContent.Timing.blank
    let timings = (0..<Int.random(in: 1...9, using: &random)).map { _ in
      var (arrivals, departures, time) = ([Int32](), [Int32](), Int32(0))
      for _ in calls {
        arrivals.append(time)
        if hasDwell { time += Int32.random(in: 0...60, using: &random) }
        departures.append(time)
        time += Int32.random(in: -5...300, using: &random)
        guard hasBlanks == 0, Bool.random(using: &random) else { continue }
        arrivals[arrivals.count - 1] = blank
        if Bool.random(using: &random) { departures[departures.count - 1] = blank }
      }
      return TimetableContent.Timing(arrivals: arrivals, departures: departures)
    }
    let runs = (1...Int64.random(in: 1...40, using: &random)).map { tid in
      StoredPattern.Run(
        tid: tid, start: Int32.random(in: 0...50, using: &random) * 60,
        timing: Int32.random(in: 0..<Int32(timings.count), using: &random),
        service: Int32.random(in: 1...3, using: &random),
        headsign: Int32.random(in: 0...5, using: &random), shortName: 0, block: 0, shape: 3,
        others: 0)
    }
    return StoredPattern(calls: calls, timings: timings, runs: runs)
  }

  @Test func `A part of a row is as in the whole`() throws {
    var random = SeededRandom()
    var codes: [Int64] = [7]
    for _ in 0..<500 {
      let pattern = Self.pattern(&random)
      let sids = Set((0..<3).map { _ in Int64.random(in: 1...20, using: &random) })
      let (bytes, count) = (pattern.callBytes, pattern.calls.count)
      let (places, callCount) = try StoredPattern.places(bytes, using: &codes) {
        sids.contains($0)
      }
      #expect(callCount == count)
      let wanted = pattern.calls.indices.filter { sids.contains(pattern.calls[$0].sid) }
      #expect(places.map(\.index) == wanted)
      for place in places {
        #expect(place.pickupType == pattern.calls[place.index].pickupType)
        #expect(place.dropOffType == pattern.calls[place.index].dropOffType)
      }
      let whole = try StoredTimes(pattern.timingBytes, calls: count)
      let some = try StoredCallTimes(
        pattern.timingBytes, calls: count, at: places.map(\.index), using: &codes)
      #expect(some.count == whole.count)
      for (number, place) in places.enumerated() {
        for timing in 0..<whole.count {
          let (own, other) = (number * some.count + timing, timing * count + place.index)
          let departures = whole.departures.isEmpty ? whole.arrivals : whole.departures
          #expect(some.arrivals[own] == whole.arrivals[other])
          #expect(
            (some.departures.isEmpty ? some.arrivals : some.departures)[own] == departures[other])
        }
      }
      let runs = try StoredPattern.runs(pattern.runBytes, timings: whole.count)
      let starts = try StoredPattern.starts(
        pattern.runBytes, timings: whole.count, using: &codes)
      #expect(starts.map(\.tid) == runs.map(\.tid))
      #expect(starts.map(\.start) == runs.map(\.start))
      #expect(starts.map(\.timing) == runs.map(\.timing))
      #expect(starts.map(\.service) == runs.map(\.service))
    }
  }

  @Test func `Bytes of any kind are read or refused`() throws {
    var random = SeededRandom()
    var refused = 0
    var codes: [Int64] = []
    for _ in 0..<2000 {
      let pattern = Self.pattern(&random)
      let count = pattern.calls.count
      func changed(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
            in: 0...255, using: &random)
        }
        return bytes
      }
      let (calls, timings, runs) = (
        changed(pattern.callBytes), changed(pattern.timingBytes), changed(pattern.runBytes)
      )
      let places = [0, count - 1]
      for decode: () throws -> Void in [
        { _ = try StoredPattern.places(calls, using: &codes) { $0 > 0 } },
        { _ = try StoredCallTimes(timings, calls: count, at: places, using: &codes) },
        { _ = try StoredPattern.starts(runs, timings: 5, using: &codes) },
      ] {
        do { try decode() } catch is DamagedBytes { refused += 1 }
      }
    }
    #expect(refused > 100)
  }

  /// A damaged row may do otherwise, and each call has both times or none all the same.
  @Test func `A window is one of a call without times only`() throws {
    var writer = ByteWriter()
    writer.append(count: 1)
    // There are blank times.
    writer.append(unsigned: 2)
    IntegerColumn.append([0], to: &writer)
    IntegerColumn.append([60, 60, 60], to: &writer)
    IntegerColumn.append(
      [0, 1 | StoredPattern.window, 2 | StoredPattern.window, 0], to: &writer)
    let times = try StoredTimes(writer.bytes, calls: 4)
    #expect(times.arrivals == [0, 60, 120, 180])
    #expect(times.departures == times.arrivals)
  }

  @Test func `One of the texts of a row is as among all`() throws {
    var random = SeededRandom()
    for _ in 0..<200 {
      var tid: Int64 = 0
      let trips = (0..<Int.random(in: 1...StoredTrips.most, using: &random)).map { number in
        tid += Int64.random(in: 1...3, using: &random)
        let rest = String(repeating: "é", count: Int.random(in: 0...20, using: &random))
        return StoredTrip(tid: tid, pid: Int64(number / 3), tripID: "\(number / 9)\(rest)")
      }
      let bytes = StoredTrips(trips).bytes
      for trip in trips { #expect(try StoredTrips.tripID(trip.tid, in: bytes) == trip.tripID) }
      #expect(try StoredTrips.tripID(tid + 1, in: bytes) == nil)
      let texts = trips.map(\.tripID)
      let textBytes = StoredTexts(texts).bytes
      for (index, text) in texts.enumerated() {
        #expect(try StoredTexts.text(at: index, in: textBytes) == text)
      }
      #expect(try StoredTexts.text(at: texts.count, in: textBytes) == nil)
    }
  }
}
