import Foundation
import Holdfast
import HoldfastDownloads
import HoldfastFeeds
import HoldfastFiles
import HoldfastTestSupport
import HoldfastTransit
import Testing

/// The articles that begin each module's documentation show no Swift that does not compile and run.
@Suite struct GettingStartedTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  @Test(arguments: [
    ("GettingStarted", "Holdfast", 5), ("GettingStartedWithFiles", "HoldfastFiles", 5),
    ("GettingStartedWithDownloads", "HoldfastDownloads", 4),
    ("GettingStartedWithTimetables", "HoldfastTransit", 4),
    ("GettingStartedWithFeeds", "HoldfastFeeds", 5),
  ])
  func everyBlockIsAnExample(article: String, module: String, count: Int) throws {
    let article = try Article(article, of: module)
    article.expectExamples(count: count)
    let manifest = try #require(article.blocks(in: "text").first).lines.joined()
    #expect(manifest.contains(#".product(name: "\#(module)", package: "holdfast")"#))
  }

  // MARK: Holdfast

  @Test func booksAreStoredAndFound() async throws {
    let pool = try openLibrary(at: folder.file("library.sqlite"))
    let book = try await addBook(titled: "Twenty Thousand Leagues", to: pool)
    #expect(book.id == 1)
    _ = try await addBook(titled: "Moby-Dick", to: pool)
    #expect(try await books(in: pool).map(\.title) == ["Moby-Dick", "Twenty Thousand Leagues"])
    #expect(try await books(matching: "leag", in: pool).map(\.id) == [1])
    #expect(try await books(matching: "\"", in: pool).isEmpty)
  }

  @MainActor @Test func aViewsValueFollowsTheDatabase() async throws {
    let pool = try openLibrary(at: folder.file("library.sqlite"))
    let observed = observedBooks(in: pool)
    let book = try await addBook(titled: "Moby-Dick", to: pool)
    while observed.value.isEmpty { await Task.yield() }
    #expect(observed.value.map(\.id) == [book.id])
  }

  // MARK: HoldfastDownloads

  @Test func aChapterIsDownloadedAndRecorded() async throws {
    let chapter = Data(repeating: 7, count: 5000)
    let server = try HostileServer { request, _ in
      request.path == "/chapter"
        ? HostileServer.Reply(200, [:], chapter) : HostileServer.Reply(404)
    }
    let container = Container(at: folder.url)
    let records = Journal<DownloadedFile>()
    let downloader = try await openDownloader(in: container) { records.append($0) }
    let file = try await downloadChapter(
      from: server.url("chapter"), byteCount: 5000, with: downloader)
    #expect(try Data(contentsOf: container.url(for: file.destination)) == chapter)
    #expect(records.entries == [file])
    let gone = try downloader.start(
      DownloadRequest(
        id: "gone", from: server.url("gone"), to: RelocatablePath(.documents, "gone")))
    #expect(await shares(of: gone).isEmpty)
    let error = await #expect(throws: DownloadError.self) { _ = try await gone.value() }
    #expect(error.map(sentences) == "The book is no longer offered.")
    await downloader.close()
  }

  // MARK: HoldfastFiles

  @Test func aStoredPathIsRightAfterAMove() throws {
    let old = Container(at: folder.file("old"))
    let text = try storedPath(ofBook: "book 1.m4b", in: old)
    #expect(text == "@documents/downloads/book 1.m4b")
    try Data("chapter one".utf8).write(to: url(ofStoredPath: text, in: old))
    try FileManager.default.moveItem(at: folder.file("old"), to: folder.file("new"))
    let today = try url(ofStoredPath: text, in: Container(at: folder.file("new")))
    #expect(try String(contentsOf: today, encoding: .utf8) == "chapter one")
    #expect(try relocated("covers/1.png") == "@caches/covers/1.png")
  }

  @Test func aRelativeTextLeadsBackToItsFile() throws {
    let container = Container(at: folder.file("container"))
    let file = try container.url(for: RelocatablePath(.caches, "downloads", "50%41 off.m4b"))
    let stored = relativeText(of: file, in: container)
    #expect(stored == "downloads/50%41 off.m4b")
    #expect(try absoluteText(of: stored, in: container) == file.absoluteString)
  }

  @Test func aDamagedDownloadReplacesNothing() throws {
    let (download, book) = (folder.file("download"), folder.file("book"))
    try Data("old".utf8).write(to: book)
    try Data("new".utf8).write(to: download)
    let digest = try FileDigest(of: download)
    try Data("nex".utf8).write(to: download)
    #expect(throws: CocoaError.self) { try install(download, at: book, expecting: digest) }
    #expect(try String(contentsOf: book, encoding: .utf8) == "old")
    try Data("new".utf8).write(to: download)
    try install(download, at: book, expecting: digest)
    #expect(try String(contentsOf: book, encoding: .utf8) == "new")
  }

  @Test func aCacheIsWritten() throws {
    try writeCache(Data("tiles".utf8), at: folder.file("cache"))
    #expect(try String(contentsOf: folder.file("cache"), encoding: .utf8) == "tiles")
    #expect(try FileAttributes(of: folder.file("cache")).isExcludedFromBackup)
  }

  // MARK: HoldfastTransit and HoldfastFeeds

  @Test func aFeedIsImportedAndAnswered() async throws {
    let (feed, database) = (PackageFolder.portMerrow, folder.file("harbour.db"))
    var progress = 0.0
    #expect(try importFeed(feed, into: database, previous: nil) { progress = $0 } == 62)
    #expect(progress == 1)
    #expect(try await stopNames(matching: "quay circ", in: database).first == "Circular Quay")
    #expect(try isUpToDate(database))
    let timetable = try Timetable(at: database)
    #expect(try ferries(in: timetable) == ["F1", "F2", "F3"])
    #expect(try stop("CQ-A", in: timetable)?.stopName == "Circular Quay, Wharf A")
    #expect(try parts(of: "CQ", in: timetable).contains("Circular Quay, Wharf A"))
  }

  @Test func aFeedIsExaminedAndRead() throws {
    #expect(try problems(in: PackageFolder.portMerrow) == [])
    #expect(try ferryNames(in: PackageFolder.portMerrow) == ["F1", "F2", "F3"])
  }

  @Test func twoFeedsShareADatabase() throws {
    let database = folder.file("both.db")
    try importBoth(PackageFolder.portMerrow, PackageFolder.portMerrow, into: database)
    let stops = try Timetable(at: database).reader.read { db in try Stop.fetchAll(db) }
    #expect(stops.count == 124)
    #expect(stops.count { $0.stopID.hasPrefix("tram:") } == 62)
  }

  @Test func aFeedThatIsRefusedSaysWhy() throws {
    let feed = folder.file("feed")
    try FileManager.default.copyItem(at: PackageFolder.portMerrow, to: feed)
    try Data("stop_id,stop_name\n,Quay\n".utf8).write(to: feed.appending(path: "stops.txt"))
    let text = try importOrExplain(feed, into: folder.file("harbour.db"))
    #expect(text != "imported")
    #expect(try problems(in: feed).contains { $0.hasPrefix("stops.txt") && $0.hasSuffix(text) })
  }
}
