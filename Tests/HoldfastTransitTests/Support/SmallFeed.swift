import Foundation
import Holdfast
import HoldfastFeeds
import HoldfastTestSupport
import HoldfastTransit

/// A feed with given stops, and the database imported from it.
final class SmallFeed {
  struct Place {
    var id: String
    var name: String
    var code = ""
    var type = 0
    var parent = ""
    var position = "-33.861,151.211"
  }

  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// Imports stops with these names; the `stop_id` of the first is `S001`.
  func timetable(named names: [String]) throws -> Timetable {
    let digits = { (number: Int) in String(repeating: "0", count: 3 - "\(number)".count) }
    return try timetable(
      of: names.enumerated().map { index, name in
        Place(id: "S\(digits(index + 1))\(index + 1)", name: name)
      })
  }

  func timetable(
    of places: [Place], routes: String = "F1,HF,F1,Harbour,4,\n", files: [String: String] = [:]
  ) throws -> Timetable {
    try Timetable(at: database(of: places, routes: routes, files: files))
  }

  /// Imports stops and routes, and files that replace the feed's own ones.
  func database(
    of places: [Place], routes: String = "F1,HF,F1,Harbour,4,\n", files: [String: String] = [:]
  ) throws -> URL {
    let feed = directory.url.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: feed, withIntermediateDirectories: true)
    var stops = "stop_id,stop_name,stop_code,location_type,parent_station,stop_lat,stop_lon\n"
    for place in places {
      let fields = [place.id, place.name, place.code, "\(place.type)", place.parent]
      stops += fields.map(Self.quoted).joined(separator: ",") + ",\(place.position)\n"
    }
    let all = Self.files.merging(["stops.txt": stops]) { $1 }.merging(files) { $1 }
    for (name, text) in all {
      let rows = name == "routes.txt" ? text + routes : text
      try Data(rows.utf8).write(to: feed.appending(path: name))
    }
    let output = directory.file("\(feed.lastPathComponent).db")
    try FeedImporter(feed: feed, output: output).run()
    return output
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\"", with: "\"\"") + "\""
  }

  private static let files = [
    "agency.txt": """
    agency_id,agency_name,agency_url,agency_timezone
    HF,Harbour Ferries,https://example.org,Australia/Sydney

    """,
    "routes.txt": """
    route_id,agency_id,route_short_name,route_long_name,route_type,route_sort_order

    """,
    "trips.txt": "route_id,service_id,trip_id\nF1,W,T1\n",
    "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n",
    "calendar.txt": """
    service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
    W,1,1,1,1,1,0,0,20260105,20261231

    """,
  ]
}

/// The sample feed of the package.
enum PortMerrow {
  static let folder = PackageFolder.portMerrow
}

extension Timetable {
  /// Returns the names of the found stops, in order.
  func names(for text: String, limit: Int = 50) throws -> [String] {
    try reader.read { db in try StopSearch(text, limit: limit).fetchAll(db).map(\.stopName) }
  }
}
