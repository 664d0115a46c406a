import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// A feed's database, and its answers next to those of the reference.
struct ComparedTimetable {
  let written: WrittenFeed
  let url: URL
  let queue: DatabaseQueue
  let reference: ReferenceTimetable

  init(_ feed: TextFeed, in directory: TemporaryDirectory) throws {
    written = WrittenFeed(feed)
    url = directory.file("\(UUID()).db")
    queue = try written.database(at: url)
    reference = try ReferenceTimetable(feed)
  }

  /// Compares the departures, and returns them.
  @discardableResult func departures(
    _ stopID: String, from start: Date, hours: Double = 24, limit: Int = 10_000, all: Bool = false
  ) throws -> [Departure] {
    let sids = [try #require(written.sids[stopID])]
    var question = Departures(
      at: sids, from: start, for: .milliseconds(Int(hours * 3_600_000)), limit: limit)
    question.includesLastStops = all
    question.includesStopsWithoutPickup = all
    let found = try queue.read { db in try question.fetchAll(db) }
    let expected = reference.events(
      at: stopID, from: start, seconds: hours * 3600, includesEnds: all, includesClosed: all)
    #expect(
      found.map(\.summary) == expected.prefix(limit).map(\.summary), "\(stopID) from \(start)")
    return found
  }

  /// Compares the arrivals, and returns them.
  @discardableResult func arrivals(
    _ stopID: String, from start: Date, hours: Double = 24, limit: Int = 10_000, all: Bool = false
  ) throws -> [Arrival] {
    var question = Arrivals(
      at: [try #require(written.sids[stopID])], from: start,
      for: .milliseconds(Int(hours * 3_600_000)), limit: limit)
    question.includesFirstStops = all
    question.includesStopsWithoutDropOff = all
    let found = try queue.read { db in try question.fetchAll(db) }
    let expected = reference.events(
      .arrivals, at: stopID, from: start, seconds: hours * 3600, includesEnds: all,
      includesClosed: all)
    #expect(
      found.map(\.summary) == expected.prefix(limit).map(\.summary), "\(stopID) from \(start)")
    return found
  }
}

extension Departure {
  /// What the reference knows of a departure.
  var summary: String {
    let offset = timeZone.secondsFromGMT(for: departure)
    return "\(departure.timeIntervalSince1970) \(tripID) \(stop.stopID) \(route.routeID) "
      + "\(String(serviceDay.number)) \(departureTime.seconds) \(offset) \(stopSequence ?? -1) "
      + "\(headsign ?? "") \(headway == nil)"
  }
}

extension Arrival {
  /// What the reference knows of an arrival.
  var summary: String {
    let offset = timeZone.secondsFromGMT(for: arrival)
    return "\(arrival.timeIntervalSince1970) \(tripID) \(stop.stopID) \(route.routeID) "
      + "\(String(serviceDay.number)) \(arrivalTime.seconds) \(offset) \(stopSequence ?? -1) "
      + "\(headsign ?? "") \(headway == nil)"
  }
}

extension ReferenceEvent {
  /// The same of the reference.
  var summary: String {
    "\(instant.timeIntervalSince1970) \(tripID) \(stopID) \(routeID) "
      + "\(serviceDate) \(time) \(offset) \(stopSequence) \(headsign) \(isExact)"
  }
}
