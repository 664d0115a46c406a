import Foundation
import Holdfast
import HoldfastFiles
import HoldfastPacks
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

/// What `holdfast inspect` says of timetables, tilesets, downloaded files and packs.
@Suite(.serialized, .timeLimit(.minutes(5))) struct InspectedItemsTests {
  @Test func aTimetableAnswersAsItsVerbsDo() throws {
    let place = try Workplace()
    let inspector = try InspectorProcess(place.directory.file("harbour.db"))
    defer { inspector.interrupt() }
    #expect(try inspector.get("api/overview")["kind"] as? String == "timetable")
    let base = "api/timetable/\(try inspector.id(of: "timetable"))"
    let overview = try inspector.get(base)
    #expect(
      (overview["validity"] as? [String: Any])?["agency_timezone"] as? String == "Pacific/Auckland")
    #expect((overview["bounds"] as? [Double])?.count == 4)

    let found = try inspector.get("\(base)/stops?search=quay%20circ")
    #expect(((found["stops"] as? [[String: Any]])?.first?["stop_id"] as? String) == "CQ")
    let inArea = try inspector.get("\(base)/stops?bounds=172.9,-43.9,173.1,-43.7")
    #expect(((inArea["stops"] as? [Any])?.count ?? 0) > 10)
    // A map shows more than the earth at its lowest zoom level.
    #expect(try inspector.client.send("\(base)/stops?bounds=-400,-100,400,100").status == 200)
    #expect(try inspector.client.send("\(base)/stops?bounds=1,2,3").status == 400)

    let lines = try inspector.get("\(base)/lines")
    #expect(((lines["features"] as? [Any])?.count ?? 0) > 10)

    let at = "at=2026-07-24T08:00"
    let board = try inspector.get("\(base)/departures?stop=CQ&\(at)&limit=5")
    let verb = try place.run(
      "transit", "departures", "harbour.db", "CQ", "--at", "2026-07-24T08:00", "--limit", "5",
      "--json")
    #expect(
      try NSArray(array: #require(board["departures"] as? [Any])) == NSArray(array: verb.objects))
    let journeys = try inspector.get("\(base)/journeys?from=CQ&to=2001&\(at)")
    let legs = try #require(
      (journeys["journeys"] as? [[String: Any]])?.first?["legs"] as? [[String: Any]])
    let calls = try #require(legs.compactMap { $0["calls"] as? [[String: Any]] }.first)
    #expect(calls.allSatisfy { $0["stop_lat"] is Double && $0["stop_lon"] is Double })
    #expect(try inspector.client.send("\(base)/departures?stop=nowhere").status == 404)
    #expect(try inspector.client.send("\(base)/departures?stop=CQ&at=never").status == 400)
  }

  @Test func aRealtimeMessageIsAppliedUntilItIsRemoved() throws {
    let place = try Workplace()
    let inspector = try InspectorProcess(place.directory.file("harbour.db"))
    defer { inspector.interrupt() }
    let base = "api/timetable/\(try inspector.id(of: "timetable"))"
    let message = try Data(
      contentsOf: PackageFolder.root.appending(
        path: "Samples/port-merrow-live/trip-updates.pb"))
    let applied = try inspector.client.send("\(base)/realtime?name=now.pb", body: message)
    let live = try #require(applied.object["live"] as? [String: Any])
    #expect(live["name"] as? String == "now.pb")
    #expect((live["trip_updates"] as? Int ?? 0) > 0)
    #expect(try inspector.get(base)["live"] is [String: Any])
    #expect(
      try inspector.client.send("\(base)/realtime", body: Data("nonsense".utf8)).status == 422)
    #expect(try inspector.get(base)["live"] is [String: Any])
    #expect(try inspector.client.send("\(base)/realtime", body: Data()).status == 200)
    #expect(try inspector.get(base)["live"] is NSNull)
  }

  @Test func aTilesetHasTilesStylesAndProblems() throws {
    let folder = PackageFolder.root.appending(path: "Samples/lantern-fair/1.0")
    let inspector = try InspectorProcess(folder)
    defer { inspector.interrupt() }
    let id = try inspector.id(of: "tileset")
    let overview = try inspector.get("api/tileset/\(id)")
    let styles = try #require(overview["styles"] as? [[String: Any]])
    #expect(styles.compactMap { $0["id"] as? String } == ["style-dark.json", "style-light.json"])

    let own = try inspector.get("api/tileset/\(id)/style?theme=dark")
    let source = try #require((own["sources"] as? [String: [String: Any]])?["tileset"])
    #expect(
      (source["tiles"] as? [String]) == ["\(inspector.client.base)tiles/\(id)/{z}/{x}/{y}"])
    #expect(((own["layers"] as? [Any])?.count ?? 0) > 3)
    let app = try inspector.get("api/tileset/\(id)/style?style=style-light.json")
    #expect((app["sources"] as? [String: [String: Any]])?["fair"]?["tiles"] != nil)
    #expect((app["layers"] as? [Any])?.count == 4)
    for style in [own, app] {
      let text = String(decoding: try JSONSerialization.data(withJSONObject: style), as: UTF8.self)
      #expect(!text.contains("mbtiles:") && !text.contains("glyphs"))
    }
    #expect(try inspector.client.send("api/tileset/\(id)/style?style=../x.json").status == 404)

    let zoom = try #require(overview["minzoom"] as? Int)
    let center = try #require(overview["center"] as? [Double])
    let (x, y) = Self.tile(longitude: center[0], latitude: center[1], zoom: zoom)
    let tile = try inspector.client.send("tiles/\(id)/\(zoom)/\(x)/\(y)")
    #expect(tile.status == 200 && tile.headers["content-encoding"] == "gzip")
    #expect(tile.headers["content-type"] == "application/vnd.mapbox-vector-tile")
    #expect(try inspector.client.send("tiles/\(id)/\(zoom)/0/0").status == 204)
    #expect(try inspector.client.send("tiles/\(id)/99/0/0").status >= 400)
    #expect(try inspector.client.send("tiles/\(id)/a/0/0").status == 400)
    #expect(try inspector.get("api/tileset/\(id)/check")["ok"] as? Bool == true)
  }

  private static func tile(longitude: Double, latitude: Double, zoom: Int) -> (x: Int, y: Int) {
    let count = Double(1 << zoom)
    let angle = latitude * .pi / 180
    let y = (1 - log(tan(angle) + 1 / cos(angle)) / .pi) / 2
    return (Int((longitude + 180) / 360 * count), Int(y * count))
  }

  @Test func filesAreSaidToBeThereOrNot() throws {
    let copy = try ContainerCopy()
    try copy.write("one", to: "Documents/downloads/one.m4b")
    try copy.database(FilesTests.database) { db in
      try db.execute(
        sql: FilesTests.table + """
          INSERT INTO local_audio_file_downloads VALUES
            ('1', 1, '\(ContainerCopy.device)/Documents/downloads/one.m4b', 1, 1),
            ('2', 1, '\(ContainerCopy.device)/Documents/downloads/two.m4b', 1, 1);
          """)
    }
    let before = try copy.state()
    let inspector = try InspectorProcess(copy.folder)
    defer { inspector.interrupt() }
    let ledger = try inspector.get("api/ledger/\(try inspector.id(of: "ledger"))")
    let counts = try #require(ledger["counts"] as? [String: Int])
    #expect(counts == ["present": 1, "absent": 1, "unknown": 0])
    #expect((ledger["records"] as? [Any])?.count == 2)
    let repairs = try #require(ledger["repairs"] as? [[String: Any]])
    #expect(repairs.compactMap { $0["action"] as? String } == ["rewritten", "cleared"])
    #expect(try copy.state() == before)

    var findings = try inspector.get("api/findings")
    while findings["state"] as? String == "running" { findings = try inspector.get("api/findings") }
    #expect(findings["state"] as? String == "done")
    let dead = try #require(
      (findings["findings"] as? [[String: Any]])?.first {
        $0["kind"] as? String == "dead_reference"
      })
    let link = try #require(dead["link"] as? [String: Any])
    #expect(link["item"] as? String == (try inspector.id(of: "database")))
    #expect(link["table"] as? String == "local_audio_file_downloads")
  }

  @Test func packsHaveTheirGenerationsAndUsers() throws {
    let packs = try FestivalPacks()
    try packs.install("1")
    try packs.install("2")
    let container = packs.directory.file("Festival.xcappdata")
    var configuration = PackStore.Configuration()
    configuration.container = Container(
      at: container.appending(path: "AppData", directoryHint: .isDirectory))
    configuration.role = try LeaseRole("player")
    let store = try PackStore(PackName("Packs"), configuration: configuration)
    let lease = try #require(try store.hold(try PackName("map")))
    let inspector = try InspectorProcess(container)
    defer { inspector.interrupt() }
    let id = try inspector.id(of: "packs")
    let answer = try inspector.get("api/packs/\(id)")
    let generations = try #require(answer["generations"] as? [[String: Any]])
    #expect(generations.compactMap { $0["version"] as? String }.sorted() == ["1", "2"])
    let current = try #require(generations.first { $0["state"] as? String == "current" })
    let users = try #require(current["leases"] as? [[String: Any]])
    #expect(users.first?["role"] as? String == "player")
    #expect(users.first?["pid"] as? Int == Int(ProcessInfo.processInfo.processIdentifier))
    let verified = try inspector.get("api/packs/\(id)/verify")
    #expect(
      (verified["versions"] as? [[String: Any]])?.allSatisfy { $0["ok"] as? Bool == true } == true)
    withExtendedLifetime(lease) {}
  }

  @Test func aStyleKeepsWhatTheTilesetCanAnswer() throws {
    let folder = try TemporaryDirectory()
    try Data(
      """
      {"version": 8, "glyphs": "https://evil.example/{fontstack}/{range}.pbf", "sprite": "asset://sprite",
       "sources": {"a": {"type": "vector", "url": "mbtiles://x"}, "b": {"type": "geojson", "data": "https://evil.example/"}},
       "layers": [{"id": "1", "type": "background"}, {"id": "2", "type": "line", "source": "a", "source-layer": "x"},
        {"id": "3", "type": "symbol", "source": "a", "source-layer": "x"}, {"id": "4", "type": "line", "source": "b"},
        {"id": "5", "type": "fill", "source": "a", "source-layer": "x", "paint": {"fill-pattern": "p"}}]}
      """.utf8
    ).write(to: folder.file("style.json"))
    try Data("{}".utf8).write(to: folder.file("other.json"))
    let styles = AppStyle.all(nextTo: try FilePath(of: folder.file("map.mbtiles")))
    #expect(styles.map(\.name) == ["style.json"])
    #expect(styles[0].note == "2 layers with texts, icons or patterns are left out.")
    let document = try styles[0].document(["type": "vector", "tiles": ["here"]])
    let text = String(decoding: document, as: UTF8.self)
    #expect(!text.contains("evil") && !text.contains("sprite") && text.contains("here"))
    let object = try #require(try JSONSerialization.jsonObject(with: document) as? [String: Any])
    let layers = try #require(object["layers"] as? [[String: Any]])
    #expect(layers.compactMap { $0["id"] as? String } == ["1", "2"])
  }
}
