import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

@Suite struct TransitExportTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  @Test func `The feed is written and imported again`() throws {
    let made = try place.run("transit", "export", "harbour.db", "feed.zip", "--json")
    #expect((made.status, made.errors) == (0, ""))
    let summary = try #require(try made.objects.first)
    #expect(summary["output"] as? String == "feed.zip")
    let rows = try #require(summary["rows"] as? [String: Int])
    #expect(rows["stop_times.txt"] == 4675 && rows["translations.txt"] == 11)
    #expect(try place.run("transit", "import", "feed.zip", "again.db").status == 0)
    let folder = place.folder
    #expect(
      try Data(contentsOf: folder.appending(path: "again.db"))
        == Data(contentsOf: folder.appending(path: "harbour.db")))
  }

  @Test func `An existing output is refused`() throws {
    #expect(try place.run("transit", "export", "harbour.db", "out").status == 0)
    let refused = try place.run("transit", "export", "harbour.db", "out")
    #expect(refused.status != 0)
    #expect(refused.complaint.first == "'out' exists; it was left as it is.")
    #expect(try place.run("transit", "export", "harbour.db", "out", "--replace").status == 0)
  }

  @Test(.enabled(if: OtherSQLite.isThere && OpenFiles.areKnown))
  func `A plain database that a process has open is not replaced`() throws {
    #expect(try place.run("transit", "export", "harbour.db", "out.sqlite").status == 0)
    let other = try OtherSQLite()
    try other.run("SELECT count(*) FROM stops", on: place.directory.file("out.sqlite").path)
    let refused = try place.run("transit", "export", "harbour.db", "out.sqlite", "--replace")
    #expect(refused.status == 69)
    #expect(refused.complaint.last == "End that process, or choose another name.")
  }

  @Test func `Files of the feed are tables of a query`() throws {
    let rows = try place.run(
      "db", "query", "harbour.db", "--csv",
      "SELECT departure_time FROM stop_times WHERE trip_id = 'T1-WD-0-0600' AND stop_id = '2002'")
    #expect((rows.status, rows.errors) == (0, ""))
    #expect(rows.output == "departure_time\n06:02:00\n")
  }
}
