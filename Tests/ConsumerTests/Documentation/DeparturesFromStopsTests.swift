import Foundation
import HoldfastTestSupport
import HoldfastTransit
import Testing

/// The article on departures shows no Swift that does not compile and run.
@Suite struct DeparturesFromStopsTests {
  @Test func everyBlockIsAnExample() throws {
    try Article("DeparturesFromStops", of: "HoldfastTransit").expectExamples(count: 3)
  }

  @Test func aStopWithoutDeparturesIsEmpty() async throws {
    let folder = try TemporaryDirectory()
    let database = folder.file("timetable.db")
    try Museum.makeTimetable(at: database)
    let timetable = try Timetable(at: database)
    #expect(try await nextDepartures(timetable, at: "no such stop").isEmpty)
    #expect(try await nextDepartures(timetable, at: "CQ").count <= 10)
    #expect(try await departureBoard(timetable, at: 0, from: .distantPast, with: nil).isEmpty)
    #expect(try await firstDepartures(of: "no such route", in: timetable).isEmpty)
  }
}
