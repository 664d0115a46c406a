import Foundation
import Holdfast
import HoldfastTransit

/// Benchmarks of live messages in which a message and a timetable have many of one thing, whose product must not
/// matter: four times as many of both take about the same ratio.
struct MessageShapeCases {
  /// How many times a message takes as long as one of its size that names nothing of the timetable.
  private static let mostRatio = 5.0

  private let isShort: Bool

  init(isShort: Bool) {
    self.isShort = isShort
  }

  var all: [Case] {
    let least = isShort ? 50 : 2000
    return [least, least * 4].flatMap { count in
      let shape = MessageShape(kind: .trips, count: count, isKnown: true)
      let database = Lazy { try JourneyDatabase(feed: shape.archive()) }
      return MessageShape.Kind.allCases.map { compare($0, count, database) }
    }
  }

  private func compare(
    _ kind: MessageShape.Kind, _ count: Int, _ database: Lazy<JourneyDatabase>
  ) -> Case {
    func probe(isKnown: Bool) -> Probe {
      let message = Lazy { MessageShape(kind: kind, count: count, isKnown: isKnown).message() }
      return Probe { _ in
        Reading(
          value: try Self.board(message.value, in: database.value.url), allocations: nil, proof: 0)
      }
    }
    return Case(
      "a first board with \(count) \(kind.rawValue)", unit: "ms", bound: .ratio(Self.mostRatio),
      ours: probe(isKnown: true), floor: probe(isKnown: false))
  }

  /// Returns the milliseconds of reading a message and of the first board with it on a connection, with the alerts
  /// and vehicles of its departures.
  private static func board(_ content: Data, in url: URL) throws -> Double {
    let timetable = try Timetable(at: url)
    let start = Stopwatch.now
    let message = try RealtimeMessage(feedMessage: content)
    let count = try timetable.reader.read { db in
      guard let stop = try Stop.fetchOne(db, stopID: "S0") else { return 0 }
      let departures = try Departures(
        at: [stop.sid], from: MessageShape.instant, limit: 100, updates: message.tripUpdates
      ).fetchAll(db)
      for departure in departures {
        _ = try message.alerts(for: departure, db)
        _ = try message.vehiclePosition(for: departure, db)
      }
      return departures.count
    }
    let time = (Stopwatch.now - start) / 1e6
    guard count > 0 else { throw BenchmarkError.differentWork("messages", ours: 0, floor: 1) }
    return time
  }
}
