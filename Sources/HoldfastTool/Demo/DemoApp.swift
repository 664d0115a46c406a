import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTransit

/// The app that the demo simulates: the files in its container.
struct DemoApp {
  let container: Container

  /// Creates the app with its container's current path.
  init(at url: URL) {
    container = Container(at: url)
  }

  /// The path of the timetable, independent of the container's current path.
  static var timetablePath: RelocatablePath {
    get throws { try RelocatablePath(.applicationSupport, "transit", "port-merrow.db") }
  }

  /// The current location of the timetable.
  var timetableURL: URL {
    get throws { try container.url(for: Self.timetablePath) }
  }

  /// Returns the location of the notes in the container of the app group, which is created if
  /// needed.
  func notesURL() throws -> URL {
    let path = try RelocatablePath(.appGroup("group.port-merrow"), "notes.sqlite")
    if let parent = path.parent { _ = try container.createDirectory(at: parent) }
    return try container.url(for: path)
  }

  /// Stores the path of the timetable.
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

  /// Returns the stored path, as the database stores it.
  func rememberedText() async throws -> String? {
    let library = try openLibrary()
    defer { library.closeIgnoringErrors() }
    return try await library.read { db in
      try String.fetchOne(db, sql: "SELECT path FROM files WHERE name = 'timetable'")
    }
  }

  /// Opens the timetable at the stored path.
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
