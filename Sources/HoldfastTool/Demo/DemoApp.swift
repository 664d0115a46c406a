import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTransit

/// The app that the demo plays: what it keeps in its container, and where.
struct DemoApp {
  let container: Container

  /// The container's path of this moment.
  init(at url: URL) {
    container = Container(at: url)
  }

  /// Where the app keeps its timetable, whatever the container is called today.
  static var timetablePath: RelocatablePath {
    get throws { try RelocatablePath(.applicationSupport, "transit", "port-merrow.db") }
  }

  /// Where the timetable is at this moment.
  var timetableURL: URL {
    get throws { try container.url(for: Self.timetablePath) }
  }

  /// Where the app and its extensions keep notes: in the container of their group, which exists now.
  func notesURL() throws -> URL {
    let path = try RelocatablePath(.appGroup("group.port-merrow"), "notes.sqlite")
    if let parent = path.parent { _ = try container.createDirectory(at: parent) }
    return try container.url(for: path)
  }

  /// Writes down where the timetable is.
  func remember(_ path: RelocatablePath) async throws {
    let library = try openLibrary()
    defer { library.closeIgnoringErrors() }
    try await library.write { db in
      try db.execute(
        sql: """
          CREATE TABLE IF NOT EXISTS files (name TEXT NOT NULL PRIMARY KEY, path TEXT NOT NULL);
          INSERT OR REPLACE INTO files (name, path) VALUES ('timetable', ?)
          """, arguments: [path])
    }
  }

  /// What was written down, as the database stores it.
  func rememberedText() async throws -> String? {
    let library = try openLibrary()
    defer { library.closeIgnoringErrors() }
    return try await library.read { db in
      try String.fetchOne(db, sql: "SELECT path FROM files WHERE name = 'timetable'")
    }
  }

  /// Opens the timetable where the app remembers it to be.
  func rememberedTimetable() async throws -> Timetable? {
    guard let text = try await rememberedText() else { return nil }
    return try Timetable(at: container.url(for: RelocatablePath(text: text)))
  }

  private func openLibrary() throws -> DatabasePool {
    let folder = try RelocatablePath(.applicationSupport)
    _ = try container.createDirectory(at: folder)
    let url = try container.url(for: folder.appending("library.sqlite"))
    return try DatabasePool(path: url.path(percentEncoded: false))
  }
}
