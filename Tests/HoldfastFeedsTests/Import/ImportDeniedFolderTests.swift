import Foundation
import HoldfastFeeds
import HoldfastFiles
import HoldfastTestSupport
import Testing

/// Imports into a folder that is closed to them meanwhile.
@Suite(.enabled(if: Unprivileged.isPossible, Comment(rawValue: Unprivileged.reason)))
struct ImportDeniedFolderTests {
  /// Runs two imports in a child without rights: the second one throws once its folder is closed.
  private static func closeFolder(after limit: Double, in parent: URL, _ feeds: [URL]) throws {
    Unprivileged.become()
    let rights = FileManager.default
    let container = parent.appending(path: "container")
    try rights.createDirectory(at: container, withIntermediateDirectories: false)
    let output = container.appending(path: "harbour.db")
    try FeedImporter.replacing(feed: feeds[0], output: output).run()
    let old = try Data(contentsOf: output)

    // The error is the interruption, and not that its files cannot be removed.
    #expect(throws: CancellationError.self) {
      try FeedImporter.replacing(feed: feeds[1], output: output).run { fraction in
        guard fraction > limit else { return }
        try rights.setAttributes([.posixPermissions: 0o555], ofItemAtPath: container.path)
        throw CancellationError()
      }
    }
    #expect(try Data(contentsOf: output) == old)
    // Where the lock file is left, it is SQLite that cannot create its file.
    #expect(throws: (any Error).self) {
      try FeedImporter.replacing(feed: feeds[0], output: output).run()
    }
    #expect(try Data(contentsOf: output) == old)

    try rights.setAttributes([.posixPermissions: 0o755], ofItemAtPath: container.path)
    #expect(try rights.contentsOfDirectory(atPath: container.path).count > 1)
    try FeedImporter.replacing(feed: feeds[1], output: output).run()
    #expect(try Data(contentsOf: output) != old)
    #expect(try rights.contentsOfDirectory(atPath: container.path) == ["harbour.db"])
    try rights.removeItem(at: container)
  }

  @Test(arguments: [0, 0.8, 0.9])
  func anInterruptedImportThatCannotBeUndoneIsUndoneByTheNext(limit: Double) async throws {
    let directory = try TemporaryDirectory()
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o777], ofItemAtPath: directory.url.path)
    let folder = try Folder()
    var newer = FeedFixture()
    newer["stops.txt"] += "R,Rock,-33.9,151.3,,\n"
    let feeds = [
      try FeedFixture().writeFolder(in: folder, under: "older"),
      try newer.writeFolder(in: folder, under: "newer"),
    ]
    await #expect(processExitsWith: .success) {
      [parent = directory.url as URL, limit = limit as Double, feeds = feeds as [URL]] in
      try Self.closeFolder(after: limit, in: parent, feeds)
    }
    #expect(try directory.names == [])
  }
}
