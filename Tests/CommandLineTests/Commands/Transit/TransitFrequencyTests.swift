import Foundation
import Testing

@testable import HoldfastTool

/// What the tool prints of trips that `frequencies.txt` repeats.
@Suite struct TransitFrequencyTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
    try place.writeFeed(
      "feed",
      [
        "frequencies.txt": """
        trip_id,start_time,end_time,headway_secs,exact_times
        T,06:00:00,07:00:00,600,0
        T,07:00:00,08:00:00,90,1

        """
      ])
    try #require(try place.run("transit", "import", "feed", "new.db").status == 0)
  }

  private func run(_ words: String...) throws -> ToolProcess.Result {
    try ToolProcess.run(
      words: ["transit", words[0], "new.db"] + words.dropFirst(), in: place.folder)
  }

  @Test func aJourneyBeginsAHeadwayBeforeItsRide() throws {
    let words = ["S1", "S2", "--by", "2026-01-01T06:33"]
    let table = try run("journey", words[0], words[1], words[2], words[3])
    #expect(
      table.output == """
        Thursday 2026-01-01, UTC
        journey  departure  arrival  by                  from  to
              1  06:13      06:33    1 One every 10 min  One   Two

        """)
    let exact = try run("journey", "S1", "S2", "--by", "2026-01-01T07:25").output
    #expect(exact.contains("  07:15      07:25    1 One  One   Two"))
  }

  @Test func boardsHaveAColumnForHeadways() throws {
    for (board, stop) in [("departures", "S1"), ("arrivals", "S2")] {
      let words = [stop, "--limit", "1", "--at"]
      let loose = try run(board, words[0], words[1], words[2], words[3], "2026-01-01T06:10").output
      #expect(
        loose.split(separator: "\n").map { $0.contains("headway") } == [false, false, true, false])
      #expect(loose.contains("  every 10 min  T\n"))
      let exact = try run(board, words[0], words[1], words[2], words[3], "2026-01-01T07:10").output
      #expect(exact.contains("\n\(board.dropLast()) ") && !exact.contains("headway"))
    }
    let trips = try run("trips", "R", "--date", "2026-01-01").output.split(separator: "\n")
    #expect(trips.count == 4 && trips[1].contains("headway_secs") && trips[1].contains("end_time"))
    #expect(trips[2].contains(" 600  07:00:00") && trips[3].contains(" 90  08:00:00"))
  }

  @Test func aRepeatedTripHasFrequenciesAndNoInstants() throws {
    let table = try run("trip", "T", "--date", "2026-01-01")
    #expect(
      table.output == """
        Runs every 10 min from 06:00:00 to 07:00:00.
        Runs exactly every 90 s from 07:00:00 to 08:00:00.
        The times of the stops only say how long the trip takes.

        stop_sequence  stop_id  stop_name  arrival_time  departure_time
                    1  S1       One        08:00:00      08:00:00
                    2  S2       Two        08:10:00      08:10:00

        """)
    let calls = try run("trip", "T", "--date", "2026-01-01", "--json").objects
    #expect(calls.count == 2 && calls.allSatisfy { $0["departure"] is NSNull })
    let rows = try #require(calls.first?["frequencies"] as? [[String: Any]])
    #expect(rows.map { $0["headway_secs"] as? Int } == [600, 90])
    #expect(rows.map { $0["start_time"] as? String } == ["06:00:00", "07:00:00"])
    #expect(rows.map { $0["exact_times"] as? Int } == [0, 1])
  }
}
