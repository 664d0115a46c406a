import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct TransitMapTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private func picture(_ name: String) throws -> String {
    try String(contentsOf: place.directory.file(name), encoding: .utf8)
  }

  private func isWellFormed(_ name: String) throws -> Bool {
    XMLParser(data: try Data(contentsOf: place.directory.file(name))).parse()
  }

  @Test func `The network is drawn in the colors of its routes, with title and sources`() throws {
    let made = try place.run("transit", "map", "harbour.db", "map.svg", "--json")
    #expect(made.status == 0 && made.errors == "")
    #expect(
      made.keys == [
        "output", "bytes", "width", "height", "routes", "stops", "stops_left_out", "lines",
      ])
    let svg = try picture("map.svg")
    let object = try #require(try made.objects.first)
    #expect(object["bytes"] as? Int == svg.utf8.count)
    #expect(object["routes"] as? Int == 12 && object["stops_left_out"] as? Int == 0)
    #expect(try isWellFormed("map.svg"))
    let routes = try place.run("transit", "routes", "harbour.db", "--json").objects
    let color = try #require(routes.compactMap { $0["route_color"] as? String }.first)
    #expect(svg.contains("stroke=\"#\(color)\""))
    #expect(svg.contains("Circular Quay") && svg.contains("Data: "))
    // Twice the same bytes.
    #expect(try place.run("transit", "map", "harbour.db", "again.svg").status == 0)
    #expect(try picture("again.svg") == svg)
  }

  @Test func `The legend names the lines, every stop is drawn, and the ends of lines have names`()
    throws
  {
    let made = try place.run("transit", "map", "harbour.db", "map.svg", "--json")
    let svg = try picture("map.svg")
    let routes = try place.run("transit", "routes", "harbour.db", "--json").objects
    for route in routes {
      let name = try #require(route["route_short_name"] as? String)
      let title = try #require(route["route_long_name"] as? String)
      let line = svg.split(separator: "\n").first { line in
        line.contains("font-weight=\"bold\">\(SVGText.escaped(name.isEmpty ? title : name))<")
          && (name.isEmpty || title.isEmpty || line.contains(SVGText.escaped(title)))
      }
      // A route without trips is not drawn.
      let trips = try place.run(
        "transit", "days", "harbour.db", "--route", #require(route["route_id"] as? String))
      #expect((line != nil) == !trips.output.isEmpty, "\(name) \(title)")
    }
    for name in ["Pūkeko Road", "Land's End", "Lighthouse Jetty", "Whalers Bay", "Westhaven"] {
      #expect(svg.contains("\">\(SVGText.escaped(name))</tspan>"))
    }
    let object = try #require(try made.objects.first)
    let marks = svg.matches(of: #/<path stroke="#FFF" [^>]*d="([^"]*)"/#)
      .map { $0.1.count { $0 == "M" } }.reduce(0, +)
    #expect(marks == object["stops"] as? Int)
  }

  @Test func `Lines follow the shapes, and are straight without them`() throws {
    let feed = PackageFolder.portMerrow.path(percentEncoded: false)
    let made = try place.run("transit", "import", feed, "straight.db", "--shapes", "none")
    #expect(made.status == 0)
    func counts(_ name: String) throws -> (lines: Int, stops: Int) {
      // Ferries share no way with other lines.
      let object = try place.run(
        "transit", "map", name, "\(name).svg", "--type", "ferry", "--json"
      ).objects.first
      return try (
        #require(object?["lines"] as? Int), #require(object?["stops"] as? Int)
      )
    }
    let (curved, straight) = (try counts("harbour.db"), try counts("straight.db"))
    #expect(curved.lines > straight.lines && curved.stops == straight.stops)
    #expect(try picture("harbour.db.svg").contains("clip-path"))
  }

  @Test func `Some routes are drawn, in a size`() throws {
    let made = try place.run(
      "transit", "map", "harbour.db", "map.svg", "--type", "ferry", "--size", "300", "--json")
    let object = try #require(try made.objects.first)
    #expect((object["routes"] as? Int).map { (1..<12).contains($0) } == true)
    #expect((object["width"] as? Int).map { $0 < 700 } == true)
    let routes = try place.run("transit", "routes", "harbour.db", "--json").objects
    let id = try #require(routes.first?["route_id"] as? String)
    let one = try place.run(
      "transit", "map", "harbour.db", "one.svg", "--routes", "\(id),no such", "--json")
    #expect(try one.objects.first?["routes"] as? Int == 1)
    #expect(one.errors == "")
    let noted = try place.run(
      "transit", "map", "harbour.db", "noted.svg", "--routes", "XYZ,\(id),no such")
    #expect(noted.status == 0)
    #expect(
      noted.errors == "No route has the short name or the route_id 'XYZ', 'no such'.\n")
    let none = try place.run("transit", "map", "harbour.db", "none.svg", "--routes", "no such")
    #expect(none.status == 66)
    #expect(none.complaint.first?.contains("no such routes") == true)
    #expect(try !place.directory.names.contains("none.svg"))
  }

  @Test(arguments: ["map.png", "map.PDF", "map.db"])
  func `A picture in another format is refused`(name: String) throws {
    let refused = try place.run("transit", "map", "harbour.db", name, "--replace")
    #expect(refused.status == 73)
    #expect(
      refused.complaint.first
        == "'\(name)' is not named like an SVG picture, which is what is made.")
    #expect(try place.directory.names == ["harbour.db"])
  }

  @Test func `An existing file is replaced only on request`() throws {
    let file = place.directory.file("map.svg")
    try Data("a letter".utf8).write(to: file)
    let refused = try place.run("transit", "map", "harbour.db", "map.svg")
    #expect(refused.status == 73 && refused.complaint.count == 2)
    #expect(try place.run("transit", "map", "harbour.db", "map.svg", "--replace").status == 73)
    #expect(try place.run("transit", "map", "harbour.db", "harbour.db", "--replace").status == 73)
    #expect(try picture("map.svg") == "a letter")
    try Data("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8).write(to: file)
    #expect(try place.run("transit", "map", "harbour.db", "map.svg", "--replace").status == 0)
    #expect(try isWellFormed("map.svg"))
  }

  /// A file that appeared while the network was drawn used to be replaced.
  @Test func `A file that appears meanwhile is left as it is`() throws {
    let file = place.directory.file("map.svg")
    for (content, replaces) in [("a letter", false), ("a letter", true), ("<svg />", false)] {
      try Data(content.utf8).write(to: file)
      let error = #expect(throws: ToolError.self) {
        try TransitMap.write(Array("<svg/>".utf8), to: file, replaces: replaces)
      }
      #expect(error?.exitCode == .cannotCreate)
      #expect(try picture("map.svg") == content)
    }
    try Data("<svg />".utf8).write(to: file)
    try TransitMap.write(Array("<svg/>".utf8), to: file, replaces: true)
    #expect(try picture("map.svg") == "<svg/>")
    #expect(try place.directory.names == ["harbour.db", "map.svg"])
  }

  @Test func `A file that cannot be read is reported as such`() throws {
    try FileManager.default.createSymbolicLink(
      atPath: place.directory.file("map.svg").path, withDestinationPath: "nowhere")
    let refused = try place.run("transit", "map", "harbour.db", "map.svg", "--replace")
    #expect(refused.status == 73)
    #expect(
      refused.complaint.first
        == "'map.svg' was not read: the file or its folder does not exist.")
  }

  @Test func `A pipe in the picture's place is left as it is`() throws {
    let pipe = try Signal(at: place.directory.file("map.svg").path)
    let before = try FileManager.default.attributesOfItem(atPath: pipe.path)
    let refused = try place.run("transit", "map", "harbour.db", "map.svg", "--replace")
    #expect(refused.status == 73)
    #expect(
      refused.complaint.first == "'map.svg' is not an SVG picture; it was left as it is.")
    let after = try FileManager.default.attributesOfItem(atPath: pipe.path)
    #expect(after[.systemFileNumber] as? Int == before[.systemFileNumber] as? Int)
    #expect(after[.type] as? FileAttributeType != .typeRegular)
  }

  @Test func `Hostile names are text, and stops at 0,0 do not shrink the map`() throws {
    let name = "</text><script>alert(1)</script>\u{1B}[2J & \u{202E}"
    var stops =
      "stop_id,stop_name,stop_lat,stop_lon\nS1,\"\(name)\",-16.5,179.9\nS2,Two,-16.6,-179.9\n"
    stops += "S3,Nowhere,0,0\n"
    try place.writeFeed(
      "feed",
      [
        "agency.txt":
          "agency_name,agency_url,agency_timezone\n<&>\"',https://a.example,Etc/UTC\n",
        "stops.txt": stops,
        "routes.txt":
          "route_id,route_short_name,route_long_name,route_type,route_color\nR,1,One,3,FFFFFF\n",
        "stop_times.txt": """
        trip_id,arrival_time,departure_time,stop_id,stop_sequence
        T,08:00:00,08:00:00,S1,1
        T,08:10:00,08:10:00,S2,2
        T,08:20:00,08:20:00,S3,3

        """,
      ])
    #expect(try place.run("transit", "import", "feed", "feed.db").status == 0)
    let made = try place.run("transit", "map", "feed.db", "map.svg", "--json")
    #expect(try made.objects.first?["stops_left_out"] as? Int == 1)
    #expect(try isWellFormed("map.svg"))
    let svg = try picture("map.svg")
    #expect(!svg.contains("<script") && svg.contains("&lt;/text&gt;"))
    // A white line would not be seen.
    #expect(!svg.contains("stroke=\"#FFFFFF\""))
    // 21 kilometers from one stop to the other, and not around the earth.
    #expect(svg.contains(">5 km<") || svg.contains(">2 km<"))
  }
}
