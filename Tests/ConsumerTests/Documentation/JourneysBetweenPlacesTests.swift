import Foundation
import Holdfast
import HoldfastTestSupport
import HoldfastTransit
import Testing

/// The article on journeys shows no Swift that does not compile and run.
@Suite struct JourneysBetweenPlacesTests {
  @Test func everyBlockIsAnExample() throws {
    try Article("JourneysBetweenPlaces", of: "HoldfastTransit").expectExamples(count: 4)
  }

  @Test func theExamplesFindJourneys() async throws {
    let folder = try TemporaryDirectory()
    let database = folder.file("timetable.db")
    try Museum.makeTimetable(at: database)
    let timetable = try Timetable(at: database)
    let stop = try #require(
      try await timetable.reader.read { db in try Stop.fetchAll(db) }.first { $0.position != nil })
    let position = try #require(stop.position)
    #expect(try await waysHome(timetable, from: position, to: "no such stop").isEmpty)
    for journey in try await waysHome(timetable, from: position, to: stop.stopID) {
      #expect(describe(journey).count == journey.legs.count)
    }
    try await timetable.reader.read { db in
      for other in try Stop.fetchAll(db) {
        for journey in try morning(stop, other, at: .now, db) {
          #expect(describe(journey).count == journey.legs.count)
          let question = Journeys(from: .stop(stop.sid), to: .stop(other.sid), .departing(.now))
          let updates = TripUpdates([], timestamp: nil)
          #expect(try warnings(journey, of: question, with: updates, db).isEmpty)
        }
      }
    }
  }
}
