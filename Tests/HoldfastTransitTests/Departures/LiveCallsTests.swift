import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// What updates change of trips that a board does not see.
@Suite struct LiveCallsTests {
  private let directory: TemporaryDirectory
  private let feed: ImportedFeed

  init() throws {
    directory = try TemporaryDirectory()
    feed = try ImportedFeed(
      stops: "stop_id,stop_name,stop_lat,stop_lon\n"
        + (1...6).map { "s\($0),Stop \($0),52.\($0),13\n" }.joined(),
      calls: (1...6).map { "t,\(7 + $0):00:00,\(7 + $0):05:00,s\($0),\($0)\n" }
        .joined().replacing(",8:", with: ",08:").replacing(",9:", with: ",09:"), in: directory)
  }

  private func changes(
    _ update: TripUpdate, ofBoardIn board: ClosedRange<Int>?, _ db: Database
  ) throws -> [LiveCalls.Change] {
    let cache = try TripCache.of(db)
    let trip = try #require(try LiveCalls.trip("t", cache, db))
    return try LiveCalls.changes(
      [trip], update, by: 0, of: TripUpdates([update], timestamp: nil), within: 0...0, cache, db,
      ofBoardIn: board)
  }

  /// 700 updates of as many days of a trip with 400 stops took a second.
  @Test func `Stops of a day that a board does not show are not made`() throws {
    let update = TripUpdate(
      id: "u", trip: TripDescriptor(tripID: "t", startDate: "20260610"), delay: .seconds(120))
    let noon = Int(try feed.instant("2026-06-10T12:00").timeIntervalSince1970)
    try feed.queue.read { db in
      for (days, isMade) in [(0, true), (1, false), (-1, false), (300, false)] {
        let board = noon + days * 86_400 - 3600...noon + days * 86_400 + 3600
        let changes = try changes(update, ofBoardIn: board, db)
        // The trip in the timetable does not count all the same.
        #expect(changes.count == 1 && (changes[0].stops != nil) == isMade, "\(days)")
      }
    }
  }

  @Test func `A board has each call that it has if all stops are made`() throws {
    var random = SeededRandom(unprinted: 13)
    let start = try feed.instant("2026-06-10T08:00")
    var (madeCount, seenCount) = (0, 0)
    try feed.queue.read { db in
      for _ in 0..<600 {
        func event() -> StopTimeEvent? {
          switch Int.random(in: 0...3, using: &random) {
          case 0: StopTimeEvent(delay: .seconds(Int.random(in: -90_000...90_000, using: &random)))
          case 1: StopTimeEvent(time: start + Double.random(in: -90_000...90_000, using: &random))
          default: nil
          }
        }
        let stops = (1...6).filter { _ in Bool.random(using: &random) }.map { (number: Int) in
          StopTimeUpdate(
            stopSequence: number, stopID: "s\(number)", arrival: event(), departure: event())
        }
        let update = TripUpdate(
          id: "u", trip: TripDescriptor(tripID: "t", startDate: "20260610"), stopTimeUpdates: stops,
          delay: Bool.random(using: &random)
            ? .seconds(Int.random(in: -90_000...90_000, using: &random)) : nil)
        let first =
          Int(start.timeIntervalSince1970) + Int.random(in: -50_000...50_000, using: &random)
        let board = first...first + 3600
        let all = try changes(update, ofBoardIn: nil, db)
        let seen = try changes(update, ofBoardIn: board, db)
        #expect(all.map(\.instance) == seen.map(\.instance))
        let calls = all.flatMap { $0.stops?.stopTimes ?? [] }.filter { stop in
          [CallEvent.arrival, .departure].contains { event in
            stop.instant(event).map(board.contains) ?? false
          }
        }
        if seen.contains(where: { $0.stops != nil }) {
          madeCount += 1
        } else {
          #expect(calls.isEmpty)
        }
        if !calls.isEmpty { seenCount += 1 }
      }
    }
    #expect(seenCount > 30 && madeCount < 600)
  }
}
