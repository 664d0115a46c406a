import Foundation
import HoldfastTestSupport
import Testing

/// The exit code and the message of the tool for each real feed.
@Suite(.enabled(if: SharedFeeds.arePresent, "the shared feeds (../shared/data) are absent"))
struct SharedFeedImportTests {
  struct Refusal {
    var file: String
    var line: Int?
    var field: String?

    init(_ file: String, _ line: Int? = nil, _ field: String? = nil) {
      (self.file, self.line, self.field) = (file, line, field)
    }
  }

  /// The refused feeds; all others are imported.
  private static let refusals: [String: Refusal] = [
    "feeds/brown-county-flex.zip": Refusal("calendar.txt"),
    "feeds/headers-only-empty.zip": Refusal("agency.txt"),
    "feeds/nested-dir-ambiguous.zip": Refusal("nested-dir-ambiguous.zip"),
    "feeds/nested-zip.zip": Refusal("example-nested-zip/example.zip"),
    "feeds/region-nord-latin1.zip": Refusal("stops.txt", 2, "stop_name"),
    "broken-feeds/au-sydney-entrances.zip": Refusal("routes.txt"),
    "broken-feeds/bad_utf8.zip": Refusal("agency.txt", 1, "badheader\u{FFFD}"),
    "broken-feeds/contains_null.zip": Refusal("stops.txt", 9, "stop_name"),
    "broken-feeds/empty_file.zip": Refusal("agency.txt"),
    "broken-feeds/missing_agency.zip": Refusal("agency.txt"),
    "broken-feeds/missing_calendar.zip": Refusal("calendar.txt"),
    "broken-feeds/missing_column.zip": Refusal("agency.txt", 1, "agency_name"),
    "broken-feeds/missing_routes.zip": Refusal("routes.txt"),
    "broken-feeds/missing_stop_times.zip": Refusal("stop_times.txt"),
    "broken-feeds/missing_stops.zip": Refusal("stops.txt"),
    "broken-feeds/missing_trips.zip": Refusal("trips.txt"),
    "broken-feeds/missing_weekday_column.zip": Refusal("calendar.txt", 1, "thursday"),
    "broken-feeds/unknown_format.zip": Refusal("unknown_format.zip"),
    "broken-feeds/upgrade_translations__new-feed.zip": Refusal("agency.txt"),
    "broken-feeds/upgrade_translations__old-feed.zip": Refusal("agency.txt"),
    "broken-feeds/utf16.zip": Refusal("agency.txt", 1),
  ]

  /// The feeds whose only trips have a flaw, so that no stop has service.
  private static let emptied: Set = ["feeds/macosx-junk.zip", "feeds/subdirectory.zip"]

  /// The feeds that are refused, and of the imported ones those of few bytes: a large one takes seconds, and ends
  /// like them.
  ///
  /// `ImportOutcomeTests` imports every feed, and so does the tool with `HOLDFAST_CASES=1000`.
  private static let examined = SharedFeeds.names.filter { name in
    let isLong = ProcessInfo.processInfo.environment["HOLDFAST_CASES"] != nil
    return isLong || refusals[name] != nil || SharedFeeds.byteCount(of: name) < 1_000_000
  }

  @Test func everyRefusedFeedExists() {
    #expect(SharedFeeds.names.count == 76)
    #expect(Set(Self.refusals.keys).isSubset(of: SharedFeeds.names))
  }

  @Test(arguments: examined)
  func theExitCodeIndicatesWhetherTheFeedIsImported(name: String) throws {
    let directory = try TemporaryDirectory()
    let feed = SharedFeeds.root.appending(path: name).path
    let made = try ToolProcess.run("transit", "import", feed, "out.db", in: directory.url)
    guard let refusal = Self.refusals[name] else {
      #expect(made.status == (Self.emptied.contains(name) ? 1 : 0), "\(made.errors)")
      #expect(made.output.hasPrefix("output "))
      #expect(try directory.names == ["out.db"])
      return
    }
    #expect(made.status == 65)
    #expect(made.output == "")
    #expect(try directory.names == [])
    #expect(made.errors.contains(refusal.file))
    if let line = refusal.line { #expect(made.errors.contains("line \(line)")) }
    if let field = refusal.field { #expect(made.errors.contains("field \(field)")) }

    let result = try ToolProcess.run(
      "transit", "import", feed, "out.db", "--json", in: directory.url)
    #expect(result.status == 65)
    let error = try #require(
      try JSONSerialization.jsonObject(with: Data(result.errors.utf8)) as? [String: Any])
    #expect(error["error"] as? String == "bad_data")
    #expect(error["file"] as? String == refusal.file)
    #expect(error["line"] as? Int == refusal.line)
    #expect(error["field"] as? String == refusal.field)
  }

  @Test func aMissingFeedHasItsOwnExitCode() throws {
    let directory = try TemporaryDirectory()
    let made = try ToolProcess.run("transit", "import", "none.zip", "out.db", in: directory.url)
    #expect(made.status == 66)
    #expect(made.errors.contains("'none.zip'"))
    #expect(try directory.names == [])
  }
}

/// The real feeds next to the package, which are not part of it.
private enum SharedFeeds {
  static let root = PackageFolder.shared.appending(path: "data")

  static let names = ["feeds", "broken-feeds"].flatMap { folder in
    ((try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path))
      ?? [])
      .filter { $0.hasSuffix(".zip") }.map { "\(folder)/\($0)" }.sorted()
  }

  static let arePresent = !names.isEmpty

  static func byteCount(of name: String) -> Int {
    // A feed that cannot be read is a failure of its import.
    (try? root.appending(path: name).resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
  }
}
