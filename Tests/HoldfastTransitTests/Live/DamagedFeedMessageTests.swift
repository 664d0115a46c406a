import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

@Suite struct DamagedFeedMessageTests {
  /// `HOLDFAST_CASES=100000` runs a longer campaign, and `HOLDFAST_SEED` repeats one case.
  @Test func `a damaged message is read or refused, and what is read can be used`() throws {
    let environment = ProcessInfo.processInfo.environment
    let only = environment["HOLDFAST_SEED"].flatMap(UInt64.init)
    let count = environment["HOLDFAST_CASES"].flatMap(UInt64.init) ?? 3000
    let sample = [UInt8](try Data(contentsOf: FeedMessageDecoderTests.sample))
    let stopTimes = (1...13).map {
      ScheduledStopTime(
        stopSequence: $0, stopID: "200\($0)", arrival: nil,
        departure: Date(timeIntervalSince1970: 1_767_546_000 + Double($0) * 120))
    }
    let trip = TripInstance(
      tripID: "T1-WD-0-0600", routeID: "T1", directionID: 0, startDate: "20260105",
      startTime: .seconds(6 * 3600), start: Date(timeIntervalSince1970: 1_767_546_000))
    var (read, refused, found) = (0, 0, 0)
    for seed in only.map({ [$0] }) ?? Array(1...count) {
      var random = SeededRandom(unprinted: seed)
      var bytes = sample
      for _ in 0..<Int.random(in: 1...4, using: &random) { bytes.damage(using: &random) }
      let updates: TripUpdates
      do {
        updates = try TripUpdates(feedMessage: bytes)
      } catch {
        refused += 1
        let isInside = error.offset.map { (0...bytes.count).contains($0) } ?? false
        #expect(isInside == (error.code == .malformedMessage), "HOLDFAST_SEED=\(seed): \(error)")
        continue
      }
      read += 1
      for update in updates.updates {
        let stops = update.liveStopTimes(for: stopTimes)
        if update.trip.scheduleRelationship != .replacement {
          #expect(stops.count == stopTimes.count, "HOLDFAST_SEED=\(seed)")
        }
        #expect(
          update.liveStopTimes().count <= update.stopTimeUpdates.count, "HOLDFAST_SEED=\(seed)")
      }
      found += updates.update(for: trip) == nil ? 0 : 1
    }
    if only == nil { #expect(min(read, refused, found) > Int(count) / 50) }
  }

  @Test func `bytes without any order are refused at once`() throws {
    var random = SeededRandom()
    for _ in 0..<300 {
      let bytes = (0..<Int.random(in: 1...2000, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      let error = try #require(throws: TransitError.self) {
        _ = try TripUpdates(feedMessage: bytes)
      }
      #expect(error.code == .malformedMessage && (error.offset ?? .max) <= bytes.count)
    }
  }

  /// Each of them keeps a decoder busy or makes it allocate, if it believes what it reads.
  @Test(
    arguments: [
      [0x0B], [0x80], [0x12], [0x00], [0xFF],
      // The start of an entity of 2^62 bytes.
      [0x12, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40],
      // Unknown fields, which are legal, but are not a header.
      [0x48, 0x00],
    ] as [[UInt8]])
  func `a long message of nothing is refused`(piece: [UInt8]) throws {
    let bytes = Array(repeating: piece, count: 1_000_000 / piece.count).flatMap(\.self)
    let error = try #require(throws: TransitError.self) {
      _ = try TripUpdates(feedMessage: bytes)
    }
    #expect(error.code == .malformedMessage)
  }
}
