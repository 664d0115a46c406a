import Foundation
import Holdfast
import HoldfastFeeds
import HoldfastFiles
import HoldfastSamples
import HoldfastTransit

/// One part of the demo: a few steps, each of which is checked.
struct DemoChapter: Sendable {
  let title: String
  let tell: @Sendable (DemoStage) async throws -> Void
}

/// What the demo tells, chapter by chapter.
enum DemoStory {
  static var chapters: [DemoChapter] {
    [
      DemoChapter(title: "A timetable feed becomes a database", tell: importFeed),
      DemoChapter(title: "The app installs it into its container", tell: install),
      DemoChapter(title: "A rider types", tell: search),
      DemoChapter(title: "The system moves the container", tell: move),
      DemoChapter(title: "A second process reads along", tell: readFromSecondProcess),
    ]
  }

  /// Where the app keeps the database, whatever its container is called today.
  static var databasePath: RelocatablePath {
    get throws { try RelocatablePath(.applicationSupport, "transit", "port-merrow.db") }
  }

  // MARK: - Chapters

  private static func importFeed(_ stage: DemoStage) throws {
    guard let feed = HoldfastSamples.portMerrow() else { throw ToolError.sampleMissing() }
    try stage.say("Port Merrow is a small invented harbour city: 13 text files of a GTFS feed.")
    let database = stage.folder.appending(path: "port-merrow.db")
    let made = try stage.output.withProgress { bar in
      try FeedImporter(feed: feed, output: database).run { fraction in
        bar.show(fraction, "Importing Port Merrow")
      }
    }
    let stops = made.rows["stops.txt"] ?? 0
    let routes = made.rows["routes.txt"] ?? 0
    try stage.say("The database has \(made.bytes / 1024) KiB and was checked before it appeared.")
    try stage.prove(
      "\(stops) stops and \(routes) routes, as many as the feed has",
      stops == made.report.rows["stops.txt"] && routes == made.report.rows["routes.txt"])
    let again = stage.folder.appending(path: "again.db")
    _ = try FeedImporter(feed: feed, output: again).run()
    try stage.prove(
      "the same feed gives the same bytes again",
      try FileDigest(of: database) == FileDigest(of: again))
    try FileManager.default.removeItem(at: again)
  }

  private static func install(_ stage: DemoStage) async throws {
    let shipped = stage.folder.appending(path: "port-merrow.db")
    let container = Container(at: stage.container)
    let path = try databasePath
    try stage.say("It is copied aside, compared by SHA-256, synced, and appears in one step.")
    if let parent = path.parent { _ = try container.createDirectory(at: parent) }
    let installed = try container.url(for: path)
    let digest = try FileDigest(of: shipped)
    try AtomicReplace(at: installed).copy(from: shipped, expecting: digest.sha256)
    try stage.prove(
      "the installed file is the shipped one", try FileDigest(of: installed) == digest)

    let library = try openLibrary(in: container)
    try await library.write { db in
      try db.execute(
        sql: """
          CREATE TABLE IF NOT EXISTS files (name TEXT NOT NULL PRIMARY KEY, path TEXT NOT NULL);
          INSERT OR REPLACE INTO files (name, path) VALUES ('timetable', ?)
          """, arguments: [path])
    }
    library.close()
    try stage.say("The app remembers where it is as '\(path)', never as an absolute path.")
  }

  private static func search(_ stage: DemoStage) async throws {
    let timetable = try Timetable(at: try Container(at: stage.container).url(for: databasePath))
    for text in ["circ", "quay circ", "CIRCULAR", "circular-q"] {
      let stops = try await timetable.reader.read { db in try StopSearch(text).fetchAll(db) }
      try stage.prove(
        "'\(text)' finds \(stops.first?.stopName ?? "nothing")",
        stops.first?.stopName == "Circular Quay")
    }
    let hostile = "\" OR 1=1; NEAR(* ^name:NOT -"
    let found = try await timetable.reader.read { db in try StopSearch(hostile).fetchAll(db) }
    try stage.prove("'\(hostile)' is text like any other, and finds nothing", found.isEmpty)
  }

  private static func move(_ stage: DemoStage) async throws {
    let path = try databasePath
    let before = try Container(at: stage.container).url(for: path)
    try stage.moveContainer()
    try stage.say("An update or a restored backup gives the container another path.")
    try stage.prove(
      "the old absolute path leads nowhere",
      !FileManager.default.fileExists(atPath: before.path(percentEncoded: false)))

    let container = Container(at: stage.container)
    let library = try openLibrary(in: container)
    let stored = try await library.read { db in
      try RelocatablePath.fetchOne(db, sql: "SELECT path FROM files WHERE name = 'timetable'")
    }
    library.close()
    try stage.prove("what the app remembers is still '\(path)'", stored == path)
    let timetable = try Timetable(at: container.url(for: stored ?? path))
    let stops = try await timetable.reader.read { db in try StopSearch("circ").fetchAll(db) }
    try stage.prove(
      "the timetable is found and answers", stops.first?.stopName == "Circular Quay")
  }

  private static func readFromSecondProcess(_ stage: DemoStage) async throws {
    let url = try Container(at: stage.container).url(for: databasePath)
    let timetable = try Timetable(at: url)
    let mine = try await timetable.reader.read { db in try StopSearch("quay").fetchAll(db) }
    let path = url.path(percentEncoded: false)
    try stage.say("While this process has it open, another one runs 'holdfast transit search'.")
    let theirs = try SecondProcess.stopNames(searching: "quay", in: path)
    try stage.prove(
      "process \(theirs.process) finds the same \(mine.count) stops as process "
        + "\(ProcessInfo.processInfo.processIdentifier)",
      theirs.names == mine.map(\.stopName) && !mine.isEmpty)
  }

  private static func openLibrary(in container: Container) throws -> DatabasePool {
    let folder = try RelocatablePath(.applicationSupport)
    _ = try container.createDirectory(at: folder)
    let url = try container.url(for: folder.appending("library.sqlite"))
    return try DatabasePool(path: url.path(percentEncoded: false))
  }
}
