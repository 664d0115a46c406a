import Foundation
import Holdfast
import HoldfastTestSupport
import HoldfastTransit
import Testing

@testable import HoldfastFeeds

@Suite struct MutatedFeedTests {
  private static let names = [
    "bom-all-files", "calendar-dates-only-sample", "fiji-antimeridian", "gl-bom-realworld",
    "israel-hebrew-2126", "macosx-junk", "na-times-zurich-toy", "nested-dir", "otp-simple-pathways",
    "sample-feed-google", "turlock-fares-v2", "vta-blank-latlon",
  ]

  /// `HOLDFAST_CASES=1000` runs the whole campaign, and `HOLDFAST_SEED` repeats one case.
  ///
  /// A process of its own runs the cases, which ends when a case takes longer than a minute, or on Linux
  /// needs more memory than a gigabyte. `.build/mutated-feed` then says which case it was.
  @Test func `A mutated feed ends in a sound database or in a clear error`() async {
    await #expect(processExitsWith: .success) {
      #if os(Linux)
        var memory = rlimit(rlim_cur: 1 << 30, rlim_max: 1 << 30)
        #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &memory) == 0)
      #endif
      try MutatedFeedTests().runCases()
    }
  }

  private func runCases() throws {
    let environment = ProcessInfo.processInfo.environment
    let only = environment["HOLDFAST_SEED"].flatMap(UInt64.init)
    let count = environment["HOLDFAST_CASES"].flatMap(UInt64.init) ?? 50
    var bases = [try MutatedFeed.Base(folder: FeedFixture.portMerrow)]
    if SharedFeeds.arePresent {
      bases += try Self.names.map {
        try MutatedFeed.Base(archive: SharedFeeds.root.appending(path: "feeds/\($0).zip"))
      }
    }
    let current = PackageFolder.root.appending(path: ".build/mutated-feed")
    var (imported, refused) = (0, 0)
    for seed in only.map({ [$0] }) ?? Array(1...count) {
      let feed = MutatedFeed(seed: seed, of: bases)
      try Data("\(feed)\n".utf8).write(to: current)
      alarm(60)
      if try run(feed) { imported += 1 } else { refused += 1 }
    }
    alarm(0)
    try FileManager.default.removeItem(at: current)
    // Otherwise nothing was at stake.
    if only == nil { #expect(imported > count / 5 && refused > count / 5) }
  }

  /// Returns whether the feed was imported.
  private func run(_ feed: MutatedFeed) throws -> Bool {
    let comment = Comment(rawValue: "\(feed)")
    let directory = try TemporaryDirectory()
    let source = try feed.write(in: directory.url)
    let database = directory.file("first.db")
    let names = try directory.names
    let report = Result { try FeedReport.examine(source) }
    let summary: FeedImport
    do {
      summary = try FeedImporter(feed: source, output: database).run()
    } catch let error as FeedError {
      #expect(error.code != .unsoundDatabase, comment)
      #expect(error.advice != nil && (20..<1000).contains(error.message.count), comment)
      #expect(try directory.names == names, comment)
      switch report {
      case .success(let report):
        #expect(report.firstError?.code == error.report?.firstError?.code, comment)
        #expect(report.errorCount > 0, comment)
      case .failure(let failure):
        // A report needs every file; an import may end at a row before the file that cannot be read.
        #expect(
          (failure as? FeedError)?.code == error.code || error.report?.firstError != nil, comment)
      }
      return false
    } catch {
      Issue.record("not a clear error: \(error): \(feed)")
      return false
    }
    #expect(try report.get().errorCount == 0, comment)
    try ImportedDatabase(url: database).expectSound(comment)
    try ask(database, comment)
    let (archive, second) = (directory.file("export.zip"), directory.file("second.db"))
    let exported = try FeedExporter(database: database, output: archive).run()
    #expect(exported.rows.allSatisfy { summary.rows[$0.key] ?? 0 == $0.value }, comment)
    let again = try FeedImporter(feed: archive, output: second).run()
    #expect(again.feedIdentity == summary.feedIdentity, comment)
    // A trip whose service no file has is kept, so its stops are without service in both. What was left
    // out for another reason is said by the first one only.
    #expect(again.stopsWithoutService <= summary.stopsWithoutService, comment)
    let isSame = try Data(contentsOf: second) == Data(contentsOf: database)
    #expect(isSame == (again.stopsWithoutService == summary.stopsWithoutService), comment)
    #expect(
      try directory.names == (names + ["export.zip", "first.db", "second.db"]).sorted(), comment)
    return true
  }

  /// Asks for the first stop by its name, for departures, and for journeys, at noon of the first day.
  private func ask(_ database: URL, _ comment: Comment) throws {
    let timetable = try Timetable(at: database)
    defer { timetable.reader.closeIgnoringErrors() }
    try timetable.reader.read { db in
      let stops = try Stop.fetchAll(db)
      guard let first = stops.first, let last = stops.last else { return }
      let found = try StopSearch(first.stopName, limit: stops.count).fetchAll(db)
      let isWord = first.stopName.unicodeScalars.contains { $0.properties.isAlphabetic }
      #expect(found.contains { $0.sid == first.sid } || !isWord, comment)
      guard let day = try FeedValidity(db, at: .now).serviceDays?.lowerBound else { return }
      let noon = day.start(in: .gmt) + 43200
      _ = try Departures(at: stops.map(\.sid), from: noon, limit: 100).fetchAll(db)
      _ = try Journeys(from: .stop(first.sid), to: .stop(last.sid), .departing(noon)).fetchAll(db)
    }
  }
}
