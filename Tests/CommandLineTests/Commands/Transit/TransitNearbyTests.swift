import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

@Suite struct TransitNearbyTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private func nearby(_ words: String...) throws -> ToolProcess.Result {
    try ToolProcess.run(words: ["transit", "nearby", "harbour.db"] + words, in: place.folder)
  }

  @Test func `The nearest stops are a table with distances`() throws {
    let found = try nearby("-43.805", "172.965", "--limit", "3")
    #expect(found.status == 0)
    #expect(found.errors == "")
    let lines = found.output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[0].hasPrefix("stop_id  stop_code  stop_name"))
    #expect(lines[0].hasSuffix("  distance"))
    #expect(lines[1].hasPrefix("CQ ") && lines[1].hasSuffix("  0.0"))
  }

  @Test func `JSON has the keys of a stop and the distance in meters`() throws {
    let found = try nearby("-43.805", "172.965", "--radius", "100", "--json")
    let stops = try found.objects
    #expect(
      found.keys == [
        "sid", "stop_id", "stop_code", "stop_name", "stop_lat", "stop_lon", "location_type",
        "parent_station", "platform_code", "wheelchair_boarding", "distance",
      ])
    let distances = stops.compactMap { $0["distance"] as? Double }
    #expect(distances.count == stops.count && stops.count > 1)
    #expect(distances == distances.sorted() && distances.allSatisfy { $0 <= 100 })
    #expect(stops[0]["stop_name"] as? String == "Circular Quay")
    #expect(stops.allSatisfy { [0, 1].contains($0["location_type"] as? Int) })
  }

  @Test func `The nearest stops are found however far, and none beyond the radius`() throws {
    #expect(try nearby("90", "-180", "--json").objects.count == 20)
    let none = try nearby("90", "-180", "--radius", "1e6")
    #expect((none.status, none.output, none.errors) == (0, "", "No stops found.\n"))
  }

  @Test func `A kind has a name and a number`() throws {
    let named = try nearby("-43.805", "172.965", "--type", "station", "--json").objects
    let numbered = try nearby("-43.805", "172.965", "--type", "1", "--json").objects
    #expect(named.map { $0["stop_id"] as? String } == numbered.map { $0["stop_id"] as? String })
    #expect(named.map { $0["stop_id"] as? String }.first == "CQ")
    #expect(named.count == 4)
  }

  @Test func `A position is two words or one`() throws {
    let two = try nearby("-43.805", "172.965", "--json")
    #expect(try nearby("-43.805,172.965", "--json").output == two.output)
    #expect(try nearby("--json", "--", "-43.805,172.965").output == two.output)
  }

  @Test(arguments: [
    ["91,0"], ["0,181"], ["0,0", "0"], ["0,0,0"], ["91", "0"], ["-90.1", "0"], ["0", "181"],
    ["0", "-180.1"], ["nan", "0"], ["0", "inf"],
    ["0", "1e999"], ["", "0"], ["0", "east"], ["0", "0", "--radius", "-1"],
    ["0", "0", "--radius", "nan"], ["0", "0", "--radius", "1e9"], ["0", "0", "--limit", "0"],
    ["0", "0", "--type", "pier"], ["0"], ["0", "-infinity"],
  ])
  func `A value that is out of its range is refused`(words: [String]) throws {
    let refused = try ToolProcess.run(
      words: ["transit", "nearby", "harbour.db"] + words, in: place.folder)
    #expect(refused.status == 64)
    #expect(refused.output == "")
    #expect(refused.complaint.count == 2)
  }

  @Test func `A database that is none is refused like for the other verbs`() throws {
    #expect(try place.run("transit", "nearby", "missing.db", "0", "0").status == 66)
    try Data("no database".utf8).write(to: place.directory.file("text.db"))
    #expect(try place.run("transit", "nearby", "text.db", "0", "0").status == 65)
  }
}
