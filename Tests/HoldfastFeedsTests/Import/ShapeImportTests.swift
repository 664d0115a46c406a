import Foundation
import Holdfast
import HoldfastTestSupport
import HoldfastTransit
import Testing

@testable import HoldfastFeeds

/// Shapes on their way from `shapes.txt` to the path of a trip.
@Suite struct ShapeImportTests {
  private let feeds: Folder
  private let directory: TemporaryDirectory
  private var fixture = FeedFixture()

  init() throws {
    feeds = try Folder()
    directory = try TemporaryDirectory()
    fixture["trips.txt"] = "route_id,service_id,trip_id,shape_id\nF1,W,T1,S\n"
  }

  private func run(
    _ fixture: FeedFixture, _ detail: ShapeDetail = .full
  ) throws -> (made: FeedImport, output: URL) {
    let output = directory.file("\(UUID().uuidString).db")
    let feed = try fixture.writeFolder(in: feeds, under: UUID().uuidString)
    var importer = FeedImporter(feed: feed, output: output)
    importer.shapeDetail = detail
    return (try importer.run(), output)
  }

  private func shape(of trip: String = "T1", in output: URL) throws -> Shape? {
    try Timetable(at: output).reader.read { db in
      try Trip.fetchOne(db, tripID: trip)?.fetchShape(db)
    }
  }

  @Test func `a trip has the path of its shape with all digits`() throws {
    var fixture = fixture
    fixture["shapes.txt"] = """
      shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled
      S,-33.86112345,151.20000001,1,0
      S,-33.87,151.21,7,1.25
      S,-3.388e1,+151.22,9,
      R,0,0,0,

      """
    let (made, output) = try run(fixture)
    try ImportedDatabase(url: output).expectSound("shapes")
    #expect(made.rows["shapes.txt"] == 4)
    let shape = try #require(try shape(in: output))
    #expect(shape.shapeID == "S")
    #expect(shape.points.map(\.position.latitude) == [-33.861_123_45, -33.87, -33.88])
    #expect(shape.points.map(\.position.longitude) == [151.200_000_01, 151.21, 151.22])
    #expect(shape.points.map(\.sequence) == [1, 7, 9])
    #expect(shape.points.map(\.distTraveled) == [0, 1.25, nil])
    #expect(made.report.problems == [])
    let missing = try Timetable(at: output).reader.read { db in
      try Shape.fetchOne(db, shapeID: "s")
    }
    #expect(missing == nil)
  }

  @Test func `a sequence with a fraction of zeros is read, and reported`() throws {
    var fixture = fixture
    fixture["shapes.txt"] = """
      shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled
      S,-33.87,151.21,10.0,1.5
      S,-33.86,151.20,9.0,0
      S,-33.88,151.22,10.5,2

      """
    let (made, output) = try run(fixture)
    let shape = try #require(try shape(in: output))
    #expect(shape.points.map(\.sequence) == [9, 10])
    #expect(shape.points.map(\.distTraveled) == [0, 1.5])
    #expect(
      made.report.problems.map { "\($0.line ?? 0) \($0.field ?? "") \($0.message)" } == [
        "2 shape_pt_sequence '10.0' has a fraction; it was read as 10.",
        "3 shape_pt_sequence '9.0' has a fraction; it was read as 9.",
        "4 shape_pt_sequence '10.5' is not a whole number from 0 on; the row was left out.",
      ])
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>, [ShapeDetail.full, .simplified])
  func `points in any order, apart from each other, give equal bytes`(
    seed: UInt64, detail: ShapeDetail
  ) throws {
    var random = SeededRandom(seed: seed)
    var fixture = fixture
    let header =
      "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,own,blank,shape_dist_traveled\n"
    let rows = (0..<120).map { index in
      "\(["S", "R", "é"][index % 3]),-33.8\(index % 10),151.\(100 + index),\(index / 3),"
        + "\(index % 7 == 0 ? "n\(index % 14)" : ""),,\(index % 2 == 0 ? "\(index)" : "")\n"
    }
    fixture["shapes.txt"] = header + rows.sorted().joined()
    let sorted = try run(fixture, detail)
    fixture["shapes.txt"] = header + rows.shuffled(using: &random).joined()
    let shuffled = try run(fixture, detail)
    #expect(try Data(contentsOf: sorted.output) == Data(contentsOf: shuffled.output))
    #expect(sorted.made.rows["shapes.txt"] == shuffled.made.rows["shapes.txt"])
    let stored = try Timetable(at: shuffled.output).reader.read { db in
      (
        try ShapeTable(db).shape("S"),
        try String.fetchAll(db, sql: "SELECT name FROM other_columns WHERE file = 'shapes.txt'")
      )
    }
    let shape = try #require(stored.0)
    #expect(stored.1 == ["own"])
    #expect(shape.texts == ["n0", "n7"])
    #expect(
      shape.points.allSatisfy { point in
        let index = Int(point.sequence) * 3
        return point.others == (index % 7 == 0 ? (index % 14 == 0 ? 0 : 1) : -1)
      })
    if detail == .full { #expect(shape.points.count == 40) }
  }

  @Test func `shapes are kept completely, simplified or not at all`() throws {
    var fixture = fixture
    fixture["shapes.txt"] =
      "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\n"
      + (0...50).map { "S,-33.8,\(151 + Double($0) / 100),\($0)\n" }.joined()
    let (full, all) = try run(fixture)
    #expect(full.rows["shapes.txt"] == 51)
    #expect(try shape(in: all)?.points.count == 51)
    let (simplified, some) = try run(fixture, .simplified)
    #expect(simplified.rows["shapes.txt"] == 2)
    #expect(try shape(in: some)?.points.map(\.sequence) == [0, 50])
    let (none, without) = try run(fixture, .none)
    #expect(none.rows["shapes.txt"] == nil)
    let trip = try Timetable(at: without).reader.read { db in try Trip.fetchOne(db, tripID: "T1") }
    #expect(trip?.shapeID == "S")
    #expect(try shape(in: without) == nil)
    #expect(Set([full.feedIdentity, simplified.feedIdentity, none.feedIdentity]).count == 3)
  }

  /// A flaw of a row and what it costs.
  @Test(
    arguments: [
      ("S,-91,151,4,", 0, "number_out_of_range", "shape_pt_lat"),
      ("S,1,181,4,", 0, "number_out_of_range", "shape_pt_lon"),
      ("S,north,151,4,", 0, "invalid_float", "shape_pt_lat"),
      ("S,1,0x1p3,4,", 0, "invalid_float", "shape_pt_lon"),
      ("S,1,151,-1,", 0, "invalid_integer", "shape_pt_sequence"),
      ("S,1,151,1.5,", 0, "invalid_integer", "shape_pt_sequence"),
      ("S,1,151,,", 0, "missing_required_field", "shape_pt_sequence"),
      (",1,151,4,", 0, "missing_required_field", "shape_id"),
      ("S,1,151,4,far", 1, "invalid_float", "shape_dist_traveled"),
      ("S,1,151,4,0,9", 0, "invalid_row_length", nil),
      ("S,1,151,2,", 1, "duplicate_key", "shape_pt_sequence"),
    ] as [(String, Int, String, String?)])
  func `a flaw in a point costs at most the point`(
    row: String, kept: Int, code: String, field: String?
  ) throws {
    var fixture = fixture
    fixture["shapes.txt"] =
      "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled\n"
      + "S,1,151,2,\n\(row)\nS,2,151,3,\n"
    let (made, output) = try run(fixture)
    #expect(try shape(in: output)?.points.count == 2 + kept)
    let problem = try #require(made.report.problems.first)
    #expect(problem.code == code && problem.field == field && problem.severity == .warning)
    #expect(made.report.problems.count == 1)
  }

  @Test func `shapes without a required column are not used, and the feed is`() throws {
    var fixture = fixture
    fixture["shapes.txt"] = "shape_id,shape_pt_lat,shape_pt_sequence\nS,1,1\n"
    let (made, output) = try run(fixture)
    #expect(made.report.counts == ["missing_required_column": 1])
    #expect(try shape(in: output) == nil)
  }

  /// The library's numbers are the reference.
  @Test func `decimal numbers are read as the standard library reads them`() {
    var random = SeededRandom(seed: 1)
    var texts = [
      "0", "-0", "+1.5", ".5", "5.", ".", "-", "", "1e3", "1E-2", "--1", "1.2.3", "nan", "inf",
      "0x10",
      "123456789012345678", "0.1234567890123456789", "1e999", "-33.86112345", "1_0", "१",
    ]
    for _ in 0..<500 {
      let digits = Int.random(in: 0...17, using: &random)
      texts.append(
        String(
          format: "%.\(digits)f", Double.random(in: -200...200, using: &random)))
    }
    for text in texts {
      let bytes = Array("x\(text),".utf8)
      let value = DecimalField.value(of: bytes, 1..<(bytes.count - 1))
      let isDecimal = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
      let expected = isDecimal ? Double(text).flatMap { $0.isFinite ? $0 : nil } : nil
      #expect(value == expected, "\(text)")
    }
  }
}
