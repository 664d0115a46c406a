import Foundation
import Holdfast
import HoldfastFeeds
import HoldfastFiles
import HoldfastTransit

/// The chapter in which a rider looks at a board, and a newer timetable arrives under two processes.
struct TimetableChapter: DemoChapter {
  let title = "A rider waits, and a newer timetable arrives"

  func run(_ stage: DemoStage) async throws {
    let feed = stage.folder.appending(path: "port-merrow")
    let path = try RelocatablePath(.applicationSupport, "timetables")
    let folder = try stage.app.container.url(for: path)
    let first = try FeedImporter(feed: feed, into: folder).run()
    let timetable = try await Timetable(following: folder)

    // A Friday morning.
    let instant = try Date("2026-07-24T06:00:00+12:00", strategy: .iso8601)
    let board = try await timetable.reader.read { db in try Self.board(db, at: instant) }
    let next = board.prefix(3).map { "\($0.route.routeShortName) \($0.departureTime)" }
    try stage.prove(
      "from Circular Quay leave \(next.joined(separator: ", ")) and \(board.count - next.count) more, in order",
      board.count > next.count
        && zip(board, board.dropFirst()).allSatisfy { $0.departure <= $1.departure })

    let newer = try Self.writeNewerFeed(of: feed, on: stage)
    let during = try Self.read(timetable) {
      try FeedImporter(feed: newer, into: folder).run().folder?.previous
    }
    let after = try await timetable.reader.read { db in
      (
        version: try Self.version(db), numbers: try Self.numbers(db),
        names: try StopSearch("quay").fetchAll(db).map(\.stopName)
      )
    }
    let theirs = try SecondProcess.stopNames(
      searching: "quay", in: folder.path(percentEncoded: false))
    try stage.prove(
      "a read during an update ends as it began; the next, and process \(theirs.process), see the newer one",
      during.versions == ["port-merrow-2026.1"] && during.previous == first.folder?.database
        && after.version == "port-merrow-2026.2" && after.numbers == during.numbers
        && theirs.names == after.names && !theirs.names.isEmpty)
  }

  private static func board(_ db: Database, at instant: Date) throws -> [Departure] {
    guard let stop = try Stop.fetchOne(db, stopID: "CQ") else { return [] }
    return try Departures(at: [stop.sid], from: instant).fetchAll(db)
  }

  /// The values that a read sees before and after an event during it.
  private struct Reading {
    var versions: Set<String>
    var numbers: [String: Int64]
    var previous: String?
  }

  private static func read(
    _ timetable: Timetable, during work: () throws -> String?
  ) throws -> Reading {
    try timetable.reader.read { db in
      let before = try version(db)
      let numbers = try numbers(db)
      let previous = try work()
      return Reading(
        versions: Set([before, try version(db)].compactMap(\.self)), numbers: numbers,
        previous: previous)
    }
  }

  private static func version(_ db: Database) throws -> String? {
    try String.fetchOne(db, sql: "SELECT value FROM metadata WHERE key = 'feed_version'")
  }

  private static func numbers(_ db: Database) throws -> [String: Int64] {
    let stops = try Stop.fetchAll(db).map { ("stop " + $0.stopID, $0.sid) }
    let routes = try Route.fetchAll(db).map { ("route " + $0.routeID, $0.rid) }
    return Dictionary(stops + routes) { $1 }
  }

  /// Writes the feed of the next publication, which differs in its version.
  private static func writeNewerFeed(of feed: URL, on stage: DemoStage) throws -> URL {
    let newer = stage.folder.appending(path: "port-merrow-newer")
    let files = FileManager.default
    try files.createDirectory(at: newer, withIntermediateDirectories: true)
    for name in try files.contentsOfDirectory(atPath: feed.path(percentEncoded: false)) {
      var content = try Data(contentsOf: feed.appending(path: name))
      if name == "feed_info.txt" {
        let text = String(decoding: content, as: UTF8.self)
        content = Data(text.replacing("port-merrow-2026.1", with: "port-merrow-2026.2").utf8)
      }
      try content.write(to: newer.appending(path: name))
    }
    return newer
  }
}
