import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTestSupport
import HoldfastTransit
import Testing

@testable import HoldfastFeeds

/// Where an export is written, and what it does not touch.
@Suite struct FeedExporterTests {
  private let feeds: Folder
  private let directory: TemporaryDirectory
  private let database: URL

  init() throws {
    feeds = try Folder()
    directory = try TemporaryDirectory()
    database = directory.file("in.db")
    var fixture = FeedFixture()
    // The quote before the mark is one character with it, and still a quote.
    fixture["stops.txt"] =
      "stop_id,stop_name,stop_lat,stop_lon,note\nQ1,\"Quay, \"\"A\"\"\",-33.5,0.00001,\"a\nb\"\"\u{301},c\"\n"
    fixture["own.txt"] = "b,a\n\"2\r3\",1\n1,2\n"
    try FeedImporter(feed: fixture.writeFolder(in: feeds), output: database).run()
  }

  private func exporter(_ name: String, replaces: Bool = false) -> FeedExporter {
    var exporter = FeedExporter(database: database, output: directory.file(name))
    exporter.replaces = replaces
    return exporter
  }

  private func text(_ file: String) throws -> String {
    try String(contentsOf: directory.file(file), encoding: .utf8)
  }

  @Test func `A folder has a file for each table`() throws {
    let made = try exporter("out").run()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: directory.file("out").path).sorted()
        == made.rows.keys.sorted())
    #expect(
      try text("out/stops.txt")
        == "stop_id,stop_name,stop_lat,stop_lon,location_type,note\n"
        + "Q1,\"Quay, \"\"A\"\"\",-33.5,0.00001,0,\"a\nb\"\"\u{301},c\"\n")
    #expect(
      try text("out/stop_times.txt")
        == "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
        + "T1,08:00:00,08:00:00,Q1,1\nT1,08:10:00,08:11:00,Q1,2\n")
    #expect(try text("out/own.txt") == "b,a\n\"2\r3\",1\n1,2\n")
    let sizes = try made.rows.keys.map { try text("out/\($0)").utf8.count }
    #expect(made.bytes == Int64(sizes.reduce(0, +)))
    #expect(try directory.names == ["in.db", "out"])
  }

  @Test func `Equal databases give equal archives`() throws {
    let one = try exporter("one.zip").run()
    #expect(try exporter("two.ZIP").run() == one)
    let bytes = try Data(contentsOf: directory.file("one.zip"))
    #expect(try bytes == Data(contentsOf: directory.file("two.ZIP")))
    #expect(one.bytes == Int64(bytes.count))
    #expect(try directory.names == ["in.db", "one.zip", "two.ZIP"])
  }

  @Test(arguments: ["out.zip", "out"])
  func `An existing output is refused unless it may be replaced`(name: String) throws {
    try exporter(name).run()
    let before = try FileManager.default.attributesOfItem(atPath: directory.file(name).path)
    let error = #expect(throws: FeedError.self) { try exporter(name).run() }
    #expect(error?.code == .foreignOutput)
    let after = try FileManager.default.attributesOfItem(atPath: directory.file(name).path)
    #expect(before[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
    try exporter(name, replaces: true).run()
    let new = try FileManager.default.attributesOfItem(atPath: directory.file(name).path)
    #expect(before[.systemFileNumber] as? Int != new[.systemFileNumber] as? Int)
    #expect(try directory.names == ["in.db", name])
  }

  @Test func `A user's file or folder is never replaced`() throws {
    try Data("my notes".utf8).write(to: directory.file("notes.zip"))
    #expect(throws: FeedError.self) { try exporter("notes.zip", replaces: true).run() }
    #expect(try text("notes.zip") == "my notes")
    try FileManager.default.createDirectory(
      at: directory.file("photos/stops.txt"), withIntermediateDirectories: true)
    #expect(throws: FeedError.self) { try exporter("photos", replaces: true).run() }
    // Feeds with files of their own, and texts that are no feed.
    for name in ["diary.txt", ".hidden", "zones.geojson"] {
      try exporter("feed", replaces: true).run()
      try Data("mine".utf8).write(to: directory.file("feed/\(name)"))
      #expect(throws: FeedError.self, "\(name)") { try exporter("feed", replaces: true).run() }
      #expect(try text("feed/\(name)") == "mine")
      try ZipWriter.write(
        [
          (name: "stops.txt", path: directory.file("feed/stops.txt").path),
          (name: name, path: directory.file("feed/\(name)").path),
        ],
        to: directory.file("\(name).zip").path, named: FilePath(of: directory.file("x"))
      ) { _ in }
      #expect(throws: FeedError.self, "\(name)") {
        try exporter("\(name).zip", replaces: true).run()
      }
      try FileManager.default.removeItem(at: directory.file("\(name).zip"))
      try FileManager.default.removeItem(at: directory.file("feed/\(name)"))
    }
    try FileManager.default.createDirectory(
      at: directory.file("texts"), withIntermediateDirectories: false)
    try Data("mine".utf8).write(to: directory.file("texts/diary.txt"))
    #expect(throws: FeedError.self) { try exporter("texts", replaces: true).run() }
    #expect(try directory.names == ["feed", "in.db", "notes.zip", "photos", "texts"])
  }

  @Test func `What a killed export left is removed by the next one`() throws {
    let left = directory.file(".out.zip.export")
    try FileManager.default.createDirectory(at: left, withIntermediateDirectories: false)
    // A file that only this feed has, too.
    for name in ["feed.zip.Ab3dEf", "feed.zip", "stops.txt", "own.txt"] {
      try Data("x".utf8).write(to: left.appending(path: name))
    }
    try exporter("out.zip").run()
    #expect(try directory.names == ["in.db", "out.zip"])
  }

  /// Each file in the folder used to be removed.
  @Test(arguments: ["out.zip", "out"], ["diary.txt", "feed.zip.old", "photo.jpg"])
  func `A user's file in the folder of an export is left as it is`(
    output: String, name: String
  ) throws {
    let folder = directory.file(".\(output).export")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    for name in ["stops.txt", name] {
      try Data("mine".utf8).write(to: folder.appending(path: name))
    }
    let error = #expect(throws: FeedError.self) { try exporter(output).run() }
    #expect(error?.code == .foreignOutput)
    #expect(
      error?.message
        == "'.\(output).export' is not a folder with nothing but the files of a feed; it was left as "
        + "it is.")
    #expect(try text(".\(output).export/\(name)") == "mine")
    #expect(try text(".\(output).export/stops.txt") == "mine")
    #expect(try directory.names == [".\(output).export", "in.db"])
  }

  @Test func `Only files that an export writes are removed`() {
    let names: Set<ExactText> = [ExactText("own.txt")]
    for name in ["own.txt", "stops.txt", "feed.zip", "feed.zip.a1b2c3"] {
      #expect(ExportPlace.isWritten(name, by: names), "\(name)")
    }
    for name in ["other.txt", "feed.zip.", "feed.zip.a1b2c", "feed.zip.a1b2c.", "feed.zipped", ""] {
      #expect(!ExportPlace.isWritten(name, by: names), "\(name)")
    }
  }

  @Test func `A folder that cannot be read is reported as such`() throws {
    try exporter("out").run()
    let fault = SystemFault(atCall: 1, .refuse([.readdir: .inputOutput]))
    let error = #expect(throws: FileError.self) {
      try SystemCalls.$fault.withValue(fault) { _ = try exporter("out", replaces: true).run() }
    }
    #expect(error?.code == .inputOutput)
    #expect(error?.message.hasPrefix("'out' was not read: ") == true)
    #expect(try directory.names == ["in.db", "out"])
  }

  #if os(Linux)
    @Test func `A name that is not UTF-8 is a user's`() throws {
      try exporter("out").run()
      try shell(#"printf mine > "$1/$(printf 'a\377b')""#)
      let error = #expect(throws: FeedError.self) { try exporter("out", replaces: true).run() }
      #expect(error?.code == .foreignOutput)
      // Foundation could not remove the file with the folder.
      try shell(#"test "$(cat "$1"/a*b)" = mine && rm "$1"/a*b"#)
    }

    /// Runs a line of shell in which `$1` is the folder `out`.
    private func shell(_ line: String) throws {
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = ["-c", line, "sh", directory.file("out").path]
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
  #endif

  @Test(arguments: ["out.zip", "out"], [0.3, 0.69, 1])
  func `An interrupted export leaves nothing`(name: String, moment: Double) throws {
    struct Interruption: Error {}
    #expect(throws: Interruption.self) {
      try exporter(name).run { if $0 >= moment { throw Interruption() } }
    }
    #expect(try directory.names == ["in.db"])
  }

  @Test func `A damaged database gives no feed`() throws {
    let queue = try DatabaseQueue(path: database.path)
    try queue.write { db in try db.execute(sql: "UPDATE patterns SET timings = x'00'") }
    try queue.close()
    let error = #expect(throws: DatabaseError.self) { try exporter("out.zip").run() }
    #expect(error?.message?.contains("row 1 of the table 'patterns' cannot be decoded") == true)
    #expect(try directory.names == ["in.db"])
  }

  private static let numbers: [(Double, String)] = [
    (0, "0"), (1, "1"), (-12.5, "-12.5"), (0.00001, "0.00001"), (-1.25e-7, "-0.000000125"),
    (1e16, "10000000000000000"), (123456789.25, "123456789.25"), (1.5e20, "150000000000000000000"),
  ]

  @Test(arguments: numbers)
  func `A number has no exponent`(number: Double, text: String) {
    #expect(DecimalText.text(of: number) == text)
    #expect(Double(text) == number)
  }
}
