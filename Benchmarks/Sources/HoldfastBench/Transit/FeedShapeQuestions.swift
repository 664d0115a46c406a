import Foundation
import Holdfast
import HoldfastTransit

/// The questions about feeds of a shape, each of which returns the number of answers.
enum FeedShapeQuestions {
  /// Through a hub and on.
  static func journey(_ db: Database) throws -> Int {
    let instant = try Date("2026-11-10T06:30:00+01:00", strategy: .iso8601)
    // A feed has one hub or many.
    guard let from = try Stop.fetchOne(db, stopID: "S1"),
      let to = try Stop.fetchOne(db, stopID: "H7") ?? Stop.fetchOne(db, stopID: "S77")
    else { return 0 }
    return try Journeys(from: .stop(from.sid), to: .stop(to.sid), .departing(instant))
      .fetchAll(db).count + 1
  }

  static func stops(_ db: Database) throws -> Int {
    try StopSearch("cent").fetchAll(db).count + StopSearch("stop 1").fetchAll(db).count
  }

  static func trip(_ db: Database) throws -> Int {
    guard let trip = try Trip.fetchOne(db, tripID: "long") else { return 0 }
    return try Translations(["l7"]).translating(trip, db).calls.count
  }

  static func days(_ db: Database) throws -> Int {
    try ServiceDays(ofService: "V0").fetchAll(db)?.count ?? 0
  }
}
