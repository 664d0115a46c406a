import Foundation
import Holdfast
import HoldfastFiles
import HoldfastLedger
import HoldfastTestSupport
import Observation
import Testing

@MainActor
struct LiveReferenceTests {
  private let folder: TemporaryDirectory
  private let app: DownloadsApp
  private let covers: FileLedger
  private let cover: RelocatablePath

  init() async throws {
    folder = try TemporaryDirectory()
    app = try await DownloadsApp(at: folder.url)
    covers = FileLedger(app.pool, container: app.container, table: .coverCache)
    cover = try RelocatablePath(.caches, "covers", "li_1")
    try await covers.adopt()
    try app.write(cover, "image")
    try await covers.record("item-123", at: cover)
  }

  @Test func theURLIsKnownBeforeThePlayerIsRestored() async throws {
    let reference = LiveReference(covers, "item-123")
    #expect(await reference.refreshed() == (try app.url(cover)))
    #expect(reference.url == (try app.url(cover)))
    #expect(reference.error == nil)
  }

  /// SS-B18.
  @Test func aFileThatIsAbsentHasNoURL() async throws {
    try FileManager.default.removeItem(at: app.url(cover))
    let reference = LiveReference(covers, "item-123")
    #expect(await reference.refreshed() == nil)
  }

  /// SS-B18: a locked device proves nothing.
  @Test func aFileThatCannotBeExaminedKeepsItsURL() async throws {
    let denied = SystemFault(atCall: 1, .refuse([.open: .accessDenied, .lstat: .accessDenied]))
    let url = try app.url(cover)
    let found = await SystemCalls.$fault.withValue(denied) {
      await LiveReference(covers, "item-123").refreshed()
    }
    #expect(found?.path == url.path)
  }

  @Test func theValueChangesWithTheRecordAndWithTheFile() async throws {
    let reference = LiveReference(covers, "item-123")
    var values = reference.values.makeAsyncIterator()
    let first = try #require(await values.next() ?? nil)
    #expect(first.url == (try app.url(cover)))

    // Another file under the same name.
    try AtomicReplace(at: app.url(cover)).write { staging in
      try Data("another image".utf8).write(to: staging)
    }
    var next = try #require(await values.next())
    while next == first { next = try #require(await values.next()) }
    #expect(next?.url == first.url)

    // Another path.
    let other = try RelocatablePath(.caches, "covers", "other")
    try app.write(other)
    try await covers.record("item-123", at: other)
    while try next?.url != app.url(other) { next = try #require(await values.next()) }

    // Deleted by the system.
    try FileManager.default.removeItem(at: app.url(other))
    while next != nil { next = try #require(await values.next()) }
    #expect(reference.url == nil)

    // Written again, when its folder was deleted too.
    try FileManager.default.removeItem(at: app.url(other).deletingLastPathComponent())
    try app.write(other)
    while next == nil { next = try #require(await values.next()) }
    #expect(reference.url == (try app.url(other)))
  }

  @Test func observersAreNotified() async throws {
    let reference = LiveReference(covers, "item-123")
    await reference.refreshed()
    let changed = AsyncStream<Void>.makeStream()
    withObservationTracking {
      _ = reference.url
    } onChange: {
      changed.continuation.yield()
    }
    try FileManager.default.removeItem(at: app.url(cover))
    var changes = changed.stream.makeAsyncIterator()
    await changes.next()
    await reference.refreshed()
    #expect(reference.url == nil)
  }

  @Test func anotherTrackHasAnotherCover() async throws {
    let other = try RelocatablePath(.caches, "covers", "li_2")
    try app.write(other)
    try await covers.record("item-2", at: other)
    let reference = LiveReference(covers)
    #expect(await reference.refreshed() == nil)
    reference.id = "item-2"
    #expect(await reference.refreshed() == (try app.url(other)))
    reference.id = "item-123"
    #expect(await reference.refreshed() == (try app.url(cover)))
    reference.id = nil
    #expect(await reference.refreshed() == nil)
  }

  @Test func anAddressOnTheNetworkIsLeftAsItIs() async throws {
    try await app.pool.write { db in
      try db.execute(
        sql: "UPDATE local_cover_cache SET local_cover_url = 'https://example.org/cover?x=1'")
    }
    let reference = LiveReference(covers, "item-123")
    #expect(await reference.refreshed() == URL(string: "https://example.org/cover?x=1"))
  }

  @Test func aSequenceEndsWithItsReference() async throws {
    var reference: LiveReference? = LiveReference(covers, "item-123")
    await reference?.refreshed()
    let values = try #require(reference?.values)
    reference = nil
    var last: ReferencedFile??
    for await value in values { last = value }
    #expect(last??.url == (try app.url(cover)))
  }

  /// SS-7: in a process of its own, because the log is one for all.
  @Test func theLinesOfARefreshAreThoseOfTheSeed() async throws {
    try app.pool.close()
    await #expect(processExitsWith: .success) { [url = folder.url as URL] in
      let app = try await DownloadsApp(at: url)
      let covers = FileLedger(app.pool, container: app.container, table: .coverCache)
      let lines = Journal<String>()
      let reference = await LiveReference(covers, "item-123")
      await reference.refreshed()
      let old = try #require(await reference.url)
      Log.setHandler { event in
        if event.category == "ledger" { lines.append(event.message) }
      }
      #expect(await reference.appMovedToForeground(after: .milliseconds(120_450)) == false)

      let new = try RelocatablePath(.caches, "covers", "new place")
      try app.write(new)
      try await covers.record("item-123", at: new)
      let shown = Journal<URL?>()
      struct Refused: Error {}
      // An error is not thrown, and the next refresh tries again.
      #expect(await reference.refresh { _ in throw Refused() })
      #expect(await reference.refresh { shown.append($0) })
      #expect(await reference.refresh { shown.append($0) } == false)
      await MainActor.run { reference.id = nil }
      #expect(await reference.refresh { shown.append($0) } == false)
      let newURL = try app.url(new)
      #expect(shown.entries == [newURL])
      let refreshing =
        "[PlayerService] Refreshing file paths after potential container change..."
      let unchanged = "[PlayerService] Cover URI unchanged, no refresh needed"
      let changed = [
        "[PlayerService] Cover URI changed for item-123, updating track metadata",
        "  Old: \(old.absoluteString)", "  New: \(newURL.absoluteString)",
      ]
      let expected =
        [
          "[RootLayout] App moved to foreground (was backgrounded for 120.45s)", refreshing,
          unchanged,
        ] + [refreshing] + changed + ["The new cover of item-123 was not shown: Refused"]
        + [refreshing] + changed
        + ["[PlayerService] Track metadata refreshed with new cover URI"]
        + [refreshing, unchanged] + [refreshing]
      #expect(lines.entries == expected)
    }
  }
}
