// The Swift of JourneysBetweenPlaces.md, compiled: JourneysBetweenPlacesTests finds each block of it
// here, and runs every function.

import Foundation
import Holdfast
import HoldfastTransit

func waysHome(
  _ timetable: Timetable, from position: Position, to stopID: String
) async throws -> [Journey] {
  try await timetable.reader.read { db in
    guard let home = try Stop.fetchOne(db, stopID: stopID) else { return [] }
    let question = Journeys(from: .position(position), to: .stop(home.sid), .departing(Date()))
    return try question.fetchAll(db)
  }
}

func describe(_ journey: Journey) -> [String] {
  journey.legs.map { leg in
    switch leg {
    case .walk(let walk):
      return "Walk to \(walk.to?.stopName ?? "the destination")."
    case .ride(let ride):
      var style = Date.FormatStyle(date: .omitted, time: .shortened)
      style.timeZone = ride.board.timeZone
      let time = ride.board.departure.map { $0.formatted(style) } ?? ""
      return "\(time) \(ride.route.routeShortName) to \(ride.alight.stop.stopName)."
    }
  }
}

func morning(_ from: Stop, _ to: Stop, at eight: Date, _ db: Database) throws -> [Journey] {
  var question = Journeys(from: .stop(from.sid), to: .stop(to.sid), .departing(eight))
  question.window = .seconds(2 * 3600)
  question.maximumChanges = 2
  return try question.fetchAll(db)
}

func warnings(
  _ planned: Journey, of question: Journeys, with updates: TripUpdates, _ db: Database
) throws -> [String] {
  var question = question
  question.updates = updates
  return try question.status(of: planned, db).problems.map(\.description)
}
