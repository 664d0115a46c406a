import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

/// What a newcomer gives in place of what a verb wants.
@Suite struct MistakenInputTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  @Test(arguments: [
    ["transit", "search", "feed", "quay"], ["transit", "journey", "feed", "A", "B"],
  ])
  func `A feed in place of a database is to be imported first`(words: [String]) throws {
    try place.writeFeed("feed")
    let refused = try ToolProcess.run(words: words, in: place.folder)
    #expect(refused.status == 66)
    #expect(
      refused.complaint == [
        "'feed' is a GTFS feed, not a timetable database.",
        "Import it first: holdfast transit import feed timetable.db",
      ])
    let command = try #require(refused.complaint.last?.split(separator: "holdfast ").last)
    let made = try ToolProcess.run(
      words: command.split(separator: " ").map(String.init), in: place.folder)
    #expect(made.status == 0)
  }

  @Test func `An archive in place of a database is no encrypted database`() throws {
    let made = try place.run("transit", "export", "harbour.db", "feed.zip")
    #expect(made.status == 0)
    for words in [["transit", "departures", "feed.zip", "CQ"], ["db", "check", "feed.zip"]] {
      let refused = try ToolProcess.run(words: words, in: place.folder)
      #expect(refused.status == 66)
      #expect(
        refused.complaint == [
          "'feed.zip' is a ZIP archive, as feeds are, not a database.",
          "Import it first: holdfast transit import feed.zip timetable.db",
        ])
    }
  }

  @Test func `A database in place of a feed is named as one`() throws {
    let refused = try place.run("transit", "report", "harbour.db")
    #expect(refused.status == 65)
    #expect(refused.complaint.first == "'harbour.db' is a SQLite database, not a feed.")
  }

  @Test(arguments: [
    (["--verson"], "holdfast --version"), (["--hlep"], "holdfast --help"),
    (["-json"], "holdfast --json"), (["transit", "--hepl"], "holdfast transit --help"),
    (["completions", "bahs"], "bash"),
    (["transit", "stops", "harbour.db", "--type", "staton"], "station"),
    (["transit", "departures", "harbour.db", "CQ", "-limit", "3"], "--limit"),
    (["db", "dump", "harbour.db", "rutes"], "routes"),
  ])
  func `A mistyped word is recognized`(words: [String], meant: String) throws {
    let refused = try ToolProcess.run(words: words, in: place.folder)
    #expect(refused.status == 64)
    #expect(refused.complaint.last?.hasPrefix("Did you mean '\(meant)'?") == true)
  }

  @Test func `No table is promised where there is none`() throws {
    try Data().write(to: place.directory.file("empty.db"))
    for words in [
      ["query", "empty.db", "SELECT * FROM stops"], ["dump", "empty.db", "stops"],
    ] {
      let refused = try ToolProcess.run(words: ["db"] + words, in: place.folder)
      #expect(
        refused.complaint == [
          "The database has no table 'stops', and no other one.",
          "Check the path: this database is empty.",
        ])
    }
  }
}
