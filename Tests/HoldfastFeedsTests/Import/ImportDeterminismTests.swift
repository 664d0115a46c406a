import Foundation
import Holdfast
import HoldfastTestSupport
import HoldfastTransit
import Testing

@testable import HoldfastFeeds

/// The determinism of imports: equal feeds give equal bytes, and assigned numbers are stable.
@Suite struct ImportDeterminismTests {
  private let feeds: Folder
  private let directory: TemporaryDirectory

  init() throws {
    feeds = try Folder()
    directory = try TemporaryDirectory()
  }

  private func sample() throws -> FeedFixture {
    var fixture = FeedFixture()
    fixture.files = [:]
    let path = FeedFixture.portMerrow.path(percentEncoded: false)
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      let file = FeedFixture.portMerrow.appending(path: name)
      fixture.files[name] = Array(try Data(contentsOf: file))
    }
    return fixture
  }

  private func bytes(
    of feed: URL, previous: URL? = nil
  ) throws -> (bytes: Data, identity: String) {
    let output = directory.file("\(UUID().uuidString).db")
    let made = try FeedImporter.replacing(feed: feed, output: output, previous: previous).run()
    return (try Data(contentsOf: output), made.feedIdentity)
  }

  private func bytes(of fixture: FeedFixture) throws -> (bytes: Data, identity: String) {
    try bytes(of: fixture.writeFolder(in: feeds, under: UUID().uuidString))
  }

  // MARK: Equal feeds

  @Test func anArchiveAndAFolderGiveEqualBytes() throws {
    let fixture = try sample()
    let folder = try bytes(of: fixture)
    let archive = try bytes(of: feeds.write(fixture.archive().bytes, to: "sample.zip"))
    #expect(folder == archive)
    #expect(try bytes(of: FeedFixture.portMerrow) == folder)
    #expect(folder.identity.count == 64)
  }

  /// The same rows with different formatting.
  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func theFormattingOfAFeedDoesNotMatter(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let original = try sample()
    var rewritten = original
    for (name, bytes) in original.files {
      rewritten.files[name] = Array(
        try CSVText(String(decoding: bytes, as: UTF8.self)).shuffled(using: &random).utf8)
      // A column without a value is none.
    }
    #expect(rewritten["stops.txt"] != original["stops.txt"])
    #expect(try bytes(of: rewritten) == bytes(of: original))
  }

  @Test func agenciesInAnyOrderGiveEqualBytes() throws {
    var fixture = FeedFixture()
    let rows = ["HF,Ferries,https://a.example,Australia/Sydney", ",Trams,,Australia/Sydney"]
    let more = [
      ",Buses,,Australia/Sydney", "é,E,,Australia/Sydney", "e\u{301},E,,Australia/Sydney",
    ]
    var results: Set<String> = []
    var databases: Set<Data> = []
    for order in [rows + more, more + rows, (rows + more).reversed()] {
      fixture["agency.txt"] =
        "agency_id,agency_name,agency_url,agency_timezone\n" + order.joined(separator: "\n")
      let (bytes, identity) = try bytes(of: fixture)
      databases.insert(bytes)
      results.insert(identity)
    }
    #expect(databases.count == 1 && results.count == 1)
  }

  /// Each change of the content is another feed.
  @Test(arguments: [
    ("stops.txt", "\"Quay, Wharf 1\"", "\"Quay, Wharf 2\""), ("stops.txt", "Q,Quay", "R,Quay"),
    ("stops.txt", "151.2111", "151.2112"), ("stops.txt", ",Q\n", ",\n"),
    ("routes.txt", "Harbour,4", "Harbour,3"), ("routes.txt", "F1,HF,F1", "F1,HF,F2"),
    ("agency.txt", "Harbour Ferries", "Harbour Ferries Ltd"), ("agency.txt", "Sydney", "Hobart"),
    ("calendar.txt", "20261231", "20261230"), ("calendar.txt", "1,1,0,0", "1,1,1,0"),
    ("trips.txt", "W,T1", "V,T1"), ("trips.txt", ",trip_id\nF1,W,T1", ",trip_id\nF1,W,T2"),
    ("stop_times.txt", "08:10:00", "08:10:01"), ("stop_times.txt", "08:11:00", ""),
    ("stop_times.txt", "Q1,2", "Q,2"), ("stop_times.txt", "Q1,2", "Q1,3"),
  ])
  func everyChangeOfTheFeedChangesItsIdentity(file: String, old: String, new: String) throws {
    var fixture = FeedFixture()
    let before = try bytes(of: fixture)
    #expect(fixture[file].contains(old))
    fixture[file] = fixture[file].replacing(old, with: new)
    #expect(try bytes(of: fixture).identity != before.identity)
  }

  /// A mutated feed left its service behind, which no export gave back.
  @Test func `A trip that is left out leaves nothing`() throws {
    var fixture = FeedFixture()
    let before = try bytes(of: fixture)
    fixture["trips.txt"] += "NONE,X,T9\n"
    #expect(try bytes(of: fixture) == before)
  }

  /// A mutated feed lost the agency of its routes, and had it again when it was exported.
  @Test func `An unknown agency is the only one`() throws {
    var fixture = FeedFixture()
    let before = try bytes(of: fixture)
    fixture["routes.txt"] = fixture["routes.txt"].replacing("F1,HF,", with: "F1,XX,")
    #expect(try bytes(of: fixture) == before)
  }

  @Test func adjacentValuesAreSeparatedInTheIdentity() throws {
    var one = FeedFixture()
    one["agency.txt"] = "agency_id,agency_name,agency_url,agency_timezone\nHF,A,B C,Asia/Tokyo\n"
    var other = one
    other["agency.txt"] = "agency_id,agency_name,agency_url,agency_timezone\nHF,A B,C,Asia/Tokyo\n"
    #expect(try bytes(of: one).identity != bytes(of: other).identity)
  }

  // MARK: Numbers

  private func numbers(in output: URL, _ table: String = "stop") throws -> [String: Int64] {
    let (number, name) = table == "stop" ? ("sid", "stop_id") : ("rid", "route_id")
    return try Timetable(at: output).reader.read { db in
      let rows = try Row.fetchAll(db, sql: "SELECT \(name), \(number) FROM dict_\(table)")
      return Dictionary(
        uniqueKeysWithValues: try rows.map {
          (try $0.decode(atIndex: 0) as String, try $0.decode(atIndex: 1) as Int64)
        })
    }
  }

  /// The numbers of trips, which only an import with the older database knows.
  private func tripNumbers(in output: URL) throws -> [String: Int64] {
    let (numbers, last) = try Timetable(at: output).reader.read { db in
      try TimetableContent.tripNumbers(db)
    }
    #expect(last >= numbers.values.max() ?? 0)
    return Dictionary(uniqueKeysWithValues: numbers.map { ($0.key.text, $0.value) })
  }

  private func generation(trips: [String], previous: URL?) throws -> URL {
    var fixture = FeedFixture()
    fixture["trips.txt"] =
      "route_id,service_id,trip_id\n" + trips.map { "F1,W,\($0)\n" }.joined()
    fixture["stop_times.txt"] =
      "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
      + trips.map { "\($0),08:00:00,08:00:00,Q1,1\n\($0),09:00:00,09:00:00,Q1,2\n" }.joined()
    let output = directory.file("\(UUID().uuidString).db")
    let feed = try fixture.writeFolder(in: feeds, under: UUID().uuidString)
    try FeedImporter.replacing(feed: feed, output: output, previous: previous).run()
    return output
  }

  @Test func numbersOfTripsAreStableAndNeverReused() throws {
    let first = try generation(trips: ["t9", "t1"], previous: nil)
    #expect(try tripNumbers(in: first) == ["t1": 1, "t9": 2])
    // t9, which has the highest number, is removed; t5 and t0 are added.
    let second = try generation(trips: ["t5", "t1", "t0"], previous: first)
    #expect(try tripNumbers(in: second) == ["t1": 1, "t0": 3, "t5": 4])
    let third = try generation(trips: ["t1"], previous: second)
    let fourth = try generation(trips: ["t2", "t1"], previous: third)
    #expect(try tripNumbers(in: fourth) == ["t1": 1, "t2": 5])
  }

  /// The same feed with the rows of each trip apart from each other.
  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func theOrderOfRowsDoesNotMatter(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var fixture = FeedFixture()
    fixture["calendar.txt"] += "V,0,0,0,0,0,1,1,20260105,20261231\n"
    fixture["calendar_dates.txt"] =
      "service_id,date,exception_type,name\nW,20260601,2,a\nV,20260601,1,b\nW,20260602,2,a\n"
    fixture["frequencies.txt"] =
      "trip_id,start_time,end_time,headway_secs\nT1,08:00:00,09:00:00,600\nT2,09:00:00,9:10:00,60\n"
    fixture["trips.txt"] =
      "route_id,service_id,trip_id,trip_headsign,direction_id\n"
      + (1...9).map { "F1,\($0 % 2 == 0 ? "V" : "W"),T\($0),\($0 % 3)-Town,\($0 % 2)\n" }.joined()
    fixture["stop_times.txt"] =
      "trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign\n"
      + (1...9).flatMap { trip in
        (0..<6).map {
          "T\(trip),\(9 + trip):0\($0):00,\(9 + trip):0\($0):30,\($0 % 2 == 0 ? "Q" : "Q1"),"
            + "\($0 == 5 ? 4 : $0),\($0 % 3 == 1 ? "via \(trip)" : "")\n"
        }
      }.joined()
    var shuffled = fixture
    for name in [
      "calendar.txt", "calendar_dates.txt", "frequencies.txt", "trips.txt", "stop_times.txt",
    ] {
      let lines = fixture[name].split(separator: "\n")
      shuffled[name] = ([lines[0]] + lines.dropFirst().shuffled(using: &random))
        .joined(separator: "\n")
    }
    #expect(shuffled["stop_times.txt"] != fixture["stop_times.txt"])
    #expect(try bytes(of: shuffled) == bytes(of: fixture))
  }

  private func generation(_ stops: [String], _ routes: [String], previous: URL?) throws -> URL {
    var fixture = FeedFixture()
    fixture["stops.txt"] =
      "stop_id,stop_name,stop_lat,stop_lon\n"
      + stops.map { "\($0),Stop \($0),1,1\n" }.joined()
    fixture["routes.txt"] =
      "route_id,agency_id,route_short_name,route_long_name,route_type\n"
      + routes.map { "\($0),HF,\($0),,3\n" }.joined()
    let output = directory.file("\(UUID().uuidString).db")
    let feed = try fixture.writeFolder(in: feeds, under: UUID().uuidString)
    try FeedImporter.replacing(feed: feed, output: output, previous: previous).run()
    return output
  }

  /// ST-B17: every build numbered the stops again.
  @Test func numbersAreStableAndNeverReused() throws {
    let first = try generation(["b", "d", "z"], ["1", "3"], previous: nil)
    #expect(try numbers(in: first) == ["b": 1, "d": 2, "z": 3])
    #expect(try numbers(in: first, "route") == ["1": 1, "3": 2])

    // z, which has the highest number, is removed; a and c are added.
    let second = try generation(["a", "b", "c", "d"], ["3", "2"], previous: first)
    #expect(try numbers(in: second) == ["b": 1, "d": 2, "z": 3, "a": 4, "c": 5])
    #expect(try numbers(in: second, "route") == ["1": 1, "3": 2, "2": 3])
    #expect(try ImportedDatabase(url: second).count("stops") == 4)

    // z gets its previous number again; the new stop gets a new one.
    let third = try generation(["e", "z"], ["9"], previous: second)
    #expect(try numbers(in: third) == ["b": 1, "d": 2, "z": 3, "a": 4, "c": 5, "e": 6])
    #expect(try numbers(in: third, "route") == ["1": 1, "3": 2, "2": 3, "9": 4])
    let stops = try Timetable(at: third).reader.read { db in try Stop.fetchAll(db) }
    #expect(stops.map(\.sid) == [6, 3])
    try ImportedDatabase(url: third).expectSound("third generation")
  }

  @Test func theIdentityDependsOnTheFeedAndNotOnTheNumbers() throws {
    let first = try generation(["b", "d"], ["1"], previous: nil)
    let second = try generation(["a", "b", "d"], ["1"], previous: first)
    let fresh = try generation(["a", "b", "d"], ["1"], previous: nil)
    #expect(try numbers(in: second) != numbers(in: fresh))
    #expect(
      try Timetable(at: second).metadata.feedIdentity
        == Timetable(at: fresh).metadata.feedIdentity)
  }

  @Test func theOutputCanBeItsOwnPreviousDatabase() throws {
    let output = directory.file("harbour.db")
    var fixture = FeedFixture()
    try FeedImporter.replacing(feed: fixture.writeFolder(in: feeds, under: "1"), output: output)
      .run()
    let before = try numbers(in: output)
    fixture["stops.txt"] = "stop_id,stop_name,stop_lat,stop_lon\nA,Aft,1,1\n"
    try FeedImporter.replacing(
      feed: fixture.writeFolder(in: feeds, under: "2"), output: output, previous: output
    ).run()
    #expect(try numbers(in: output) == before.merging(["A": 3]) { $1 })
  }

  // MARK: Invalid previous databases

  @Test func aPreviousDatabaseThatIsNotATimetableIsRefused() throws {
    let text = directory.file("text.db")
    try Data("no database at all".utf8).write(to: text)
    let other = directory.file("other.db")
    let queue = try DatabaseQueue(path: other.path)
    try queue.write { db in try db.execute(sql: "CREATE TABLE a (b)") }
    try queue.close()
    let older = try generation(["a"], ["1"], previous: nil)
    let newer = directory.file("newer.db")
    try FileManager.default.copyItem(at: older, to: newer)
    for (file, version) in [(older, 0), (newer, 3)] {
      let queue = try DatabaseQueue(path: file.path)
      try queue.write { db in try db.setHeaderNumber(.userVersion, to: Int32(version)) }
      try queue.close()
    }
    let names = try directory.names
    for (previous, code) in [
      (directory.file("missing.db"), TransitError.Code.notFound), (text, .notADatabase),
      (other, .notATimetable), (older, .schemaOlder), (newer, .schemaNewer),
    ] {
      let error = #expect(throws: TransitError.self) {
        try generation(["a"], ["1"], previous: previous)
      }
      #expect(error?.code == code)
      #expect(error?.message.contains(previous.lastPathComponent) == true)
      #expect(try directory.names == names)
    }
  }
}

/// A CSV text whose rows, columns and quoting are varied at random.
private struct CSVText {
  private let rows: [[String]]

  init(_ text: String) throws {
    rows = try CSVFile(bytes: Array(text.utf8)).records().records.map { record in
      (0..<record.count).map(record.text)
    }
  }

  func shuffled(using random: inout some RandomNumberGenerator) -> String {
    let columns = rows[0].indices.shuffled(using: &random)
    let ordered = [rows[0]] + rows.dropFirst().shuffled(using: &random)
    let lineEnd = ["\n", "\r\n"].randomElement(using: &random) ?? "\n"
    let mark = Bool.random(using: &random) ? "\u{FEFF}" : ""
    let lines = ordered.map { row in
      columns.map { column in
        let cell = row.indices.contains(column) ? row[column] : ""
        let mustBeQuoted = cell.contains { ",\"\n\r".contains($0) }
        return mustBeQuoted || Bool.random(using: &random)
          ? "\"\(cell.replacing("\"", with: "\"\""))\"" : cell
      }.joined(separator: ",") + ","
    }
    return mark + lines.joined(separator: lineEnd) + lineEnd
  }
}
