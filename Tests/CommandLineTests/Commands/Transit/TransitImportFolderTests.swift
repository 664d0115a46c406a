import Foundation
import HoldfastTestSupport
import Testing

/// `holdfast transit import` to an existing file, and into a folder.
@Suite struct TransitImportFolderTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  @Test func `An existing database is replaced only on request`() throws {
    let file = place.directory.file("harbour.db")
    let before = try Data(contentsOf: file)
    try place.writeFeed("feed")
    let refused = try place.run("transit", "import", "feed", "harbour.db")
    #expect(refused.status == 73)
    #expect(
      refused.complaint == [
        "'harbour.db' already exists; it was left as it is.",
        "Name another file, add --replace if no process has it open, or import with --into a "
          + "folder, which replaces nothing.",
      ])
    #expect(try Data(contentsOf: file) == before)
    #expect(try place.run("transit", "import", "feed", "harbour.db", "--replace").status == 0)
    #expect(try Data(contentsOf: file) != before)
  }

  @Test(.enabled(if: OtherSQLite.isThere && OpenFiles.areKnown))
  func `A database that a process has open is not replaced`() throws {
    let file = place.directory.file("harbour.db")
    let other = try OtherSQLite()
    try other.run("SELECT count(*) FROM stops", on: file.path)
    try place.writeFeed("feed")
    let refused = try place.run("transit", "import", "feed", "harbour.db", "--replace")
    #expect(refused.status == 69)
    #expect(
      refused.complaint.first
        == "'harbour.db' is in use by python3 (\(other.processIdentifier)); it was left as it is.")
  }

  @Test func `An import into a folder switches it, and every verb reads the current database`()
    throws
  {
    try place.writeFeed("old")
    try place.writeFeed(
      "new",
      ["stops.txt": "stop_id,stop_name,stop_lat,stop_lon\nS1,One,1,1\nS2,Two,2,2\nS3,Three,3,3\n"])
    let first = try place.run("transit", "import", "old", "--into", "live", "--json")
    #expect(first.status == 0, "\(first.errors)")
    let one = try #require(try first.objects.first)
    #expect(one["switched"] as? Bool == true && one["previous"] is NSNull)
    let database = try #require(one["output"] as? String)
    #expect(database.hasPrefix("live/") && database.hasSuffix(".db"))
    #expect(try place.run("transit", "stops", "live", "--json").objects.count == 2)

    let second = try place.run("transit", "import", "new", "--into", "live", "--json")
    let two = try #require(try second.objects.first)
    #expect(two["previous"] as? String == String(database.dropFirst("live/".count)))
    #expect(try place.run("transit", "stops", "live", "--json").objects.count == 3)
    #expect(try place.run("transit", "export", "live", "out").status == 0)
    let stops = try String(contentsOf: place.directory.file("out/stops.txt"), encoding: .utf8)
    #expect(stops.contains("S3,Three"))
    // The numbers of before, without --previous.
    let sids = try [database, "live"].map { name in
      try place.run("transit", "stops", name, "--json").objects.first {
        $0["stop_id"] as? String == "S2"
      }?[
        "sid"] as? Int
    }
    #expect(sids[0] != nil && sids[0] == sids[1])
  }

  @Test(arguments: [
    [], ["new.db", "--into", "live"], ["--into", "live", "--replace"],
  ])
  func `A file and a folder are not named together`(words: [String]) throws {
    let refused = try ToolProcess.run(
      words: ["transit", "import", Workplace.sample] + words, in: place.folder)
    #expect(refused.status == 64 && refused.complaint.count == 2)
    #expect(try place.directory.names == ["harbour.db"])
  }

  @Test func `A folder without a timetable is refused as a database`() throws {
    try FileManager.default.createDirectory(
      at: place.directory.file("empty"), withIntermediateDirectories: true)
    let refused = try place.run("transit", "stops", "empty")
    #expect(refused.status == 66)
    #expect(refused.complaint.first == "'empty' is a folder, not a database.")
  }
}
