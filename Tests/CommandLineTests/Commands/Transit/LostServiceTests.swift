import Foundation
import Testing

@testable import HoldfastTool

/// What an import says when flaws of a feed leave stops without service.
@Suite struct LostServiceTests {
  private let place: Workplace

  init() throws { place = try Workplace() }

  private func times(_ rows: String...) -> [String: String?] {
    let header = "trip_id,arrival_time,departure_time,stop_id,stop_sequence"
    return ["stop_times.txt": ([header] + rows).joined(separator: "\n") + "\n"]
  }

  private func departures(at stop: String) throws -> [String?] {
    try place.run("transit", "departures", "t.db", stop, "--at", "2026-01-01T00:00", "--json")
      .objects.map { $0["departure_time"] as? String }
  }

  @Test func `a time without seconds is read with a warning`() throws {
    try place.writeFeed("feed", times("T,06:45,06:45,S1,1", "T,7:05,7:05,S2,2"))
    let made = try place.run("transit", "import", "feed", "t.db", "--json")
    #expect(made.status == 0)
    #expect(try made.objects.first?["warnings"] as? Int == 4)
    #expect(try made.objects.first?["stops_without_service"] as? Int == 0)
    #expect(try departures(at: "S1") == ["06:45:00"])
    let trip = try place.run("transit", "trip", "t.db", "T", "--json").objects
    #expect(trip.map { $0["arrival_time"] as? String } == ["06:45:00", "07:05:00"])
  }

  @Test func `an import that leaves nothing ends with 1, and the database says so`() throws {
    try place.writeFeed("feed", times("T,6h45,6h45,S1,1", "T,7h05,7h05,S2,2"))
    let made = try place.run("transit", "import", "feed", "t.db")
    #expect(made.status == 1)
    #expect(made.errors.contains("2 stops of stop_times.txt lost all service"))
    #expect(made.errors.contains("no stop has any left"))
    let validity = try place.run("transit", "validity", "t.db", "--at", "2026-01-01T08:00")
    #expect(validity.errors.contains("2 stops of stop_times.txt lost all service"))
    let object = try place.run("transit", "validity", "t.db", "--json").objects.first
    #expect(object?["stops_without_service"] as? Int == 2)
    // The service has the day, and no trip.
    let day = try place.run("transit", "validity", "t.db", "--at", "2026-01-01T08:00", "--json")
    #expect(try day.objects.first?["has_service"] as? Bool == false)
  }

  @Test func `an import of times of unknown stops alone ends with 1`() throws {
    try place.writeFeed("feed", times("T,08:00:00,08:00:00,X1,1", "T,08:10:00,08:10:00,X2,2"))
    let made = try place.run("transit", "import", "feed", "t.db")
    #expect(made.status == 1)
    #expect(made.errors.contains("No stop has any service"))
    // Nothing was lost where nothing was to be had.
    try place.writeFeed("empty", times())
    #expect(try place.run("transit", "import", "empty", "e.db").status == 0)
  }

  /// The trip keeps one row, with which nobody can ride.
  @Test func `stops whose row has the place of another one are counted`() throws {
    try place.writeFeed("feed", times("T,08:00:00,08:00:00,S1,1", "T,08:10:00,08:10:00,S2,1"))
    let made = try place.run("transit", "import", "feed", "t.db")
    #expect(made.status == 1)
    #expect(made.errors.contains("1 stop of stop_times.txt lost all service"), "\(made.errors)")
    #expect(made.errors.contains("no stop has any left"))
  }

  @Test func `a stop that other rows serve lost nothing`() throws {
    var changes = times(
      "T,08:00:00,08:00:00,S1,1", "T,08:10:00,08:10:00,S2,2", "X,08:00:00,08:00:00,S1,1",
      "X,08:00:00,08:00:00,S3,2")
    changes["stops.txt"] = "stop_id,stop_name,stop_lat,stop_lon\nS1,One,1,1\nS2,Two,2,2\nS3,C,3,3\n"
    try place.writeFeed("feed", changes)
    let made = try place.run("transit", "import", "feed", "t.db")
    #expect(made.status == 0)
    #expect(made.errors.contains("1 stop of stop_times.txt lost all service"), "\(made.errors)")
    #expect(!made.errors.contains("no stop has any left"))
  }

  /// What is left of a season when its exceptions are over.
  @Test func `a service that the feed itself gives no day takes nothing`() throws {
    let days = "monday,tuesday,wednesday,thursday,friday,saturday,sunday"
    var changes = times(
      "T,08:00:00,08:00:00,S1,1", "T,08:10:00,08:10:00,S2,2", "Y,08:00:00,08:00:00,S1,1",
      "Y,08:10:00,08:10:00,S3,2")
    changes["stops.txt"] = "stop_id,stop_name,stop_lat,stop_lon\nS1,One,1,1\nS2,Two,2,2\nS3,C,3,3\n"
    changes["trips.txt"] = "route_id,service_id,trip_id\nR,D,T\nR,Z,Y\nR,D,idle\n"
    changes["calendar.txt"] =
      "service_id,\(days),start_date,end_date\nZ,0,0,0,0,0,0,0,20260101,20261231\n"
    try place.writeFeed("feed", changes)
    let made = try place.run("transit", "import", "feed", "t.db")
    #expect(made.status == 0)
    #expect(made.errors.contains("the service has no day on which it runs"), "\(made.errors)")
    #expect(!made.errors.contains("lost all service"), "\(made.errors)")
  }

  @Test func `days that cannot be used take the service of all stops`() throws {
    try place.writeFeed(
      "feed", ["calendar_dates.txt": "service_id,date,exception_type\nD,20260101,7\n"])
    let made = try place.run("transit", "import", "feed", "t.db")
    #expect(made.status == 1, "\(made.errors)")
    #expect(made.errors.contains("2 stops of stop_times.txt lost all service"))
  }
}
