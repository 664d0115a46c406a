import Foundation
import HoldfastTestSupport
import Testing

/// A working folder for the tool, with the sample database.
struct Workplace {
  let directory: TemporaryDirectory

  var folder: URL { directory.url }

  /// The path of the sample feed in the package.
  static let sample = PackageFolder.portMerrow.path(percentEncoded: false)

  /// `harbour.db`, imported once by the tool for all tests.
  private static let harbour = Result {
    let directory = try TemporaryDirectory()
    let made = try ToolProcess.run(
      "transit", "import", sample, "harbour.db", in: directory.url)
    try #require(made.status == 0, "\(made.errors)")
    return try Data(contentsOf: directory.file("harbour.db"))
  }

  /// Creates a folder that contains `harbour.db`.
  init() throws {
    directory = try TemporaryDirectory()
    try Self.harbour.get().write(to: directory.file("harbour.db"))
  }

  /// Runs the tool in this folder.
  func run(_ words: String...) throws -> ToolProcess.Result {
    try ToolProcess.run(words: words, in: folder)
  }

  /// Writes a small feed as a folder of text files.
  ///
  /// - Parameters:
  ///   - name: The folder's name.
  ///   - changes: Files that differ from those of the valid feed; `nil` omits a file.
  /// - Throws: Errors of the file system.
  func writeFeed(_ name: String, _ changes: [String: String?] = [:]) throws {
    let feed = folder.appending(path: name)
    try FileManager.default.createDirectory(at: feed, withIntermediateDirectories: true)
    for (file, text) in Self.feed.merging(changes, uniquingKeysWith: { $1 }) {
      try text.map { try Data($0.utf8).write(to: feed.appending(path: file)) }
    }
  }

  private static let feed: [String: String?] = [
    "agency.txt": "agency_name,agency_url,agency_timezone\nA,https://a.example,Etc/UTC\n",
    "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\nS1,One,1,1\nS2,Two,2,2\n",
    "routes.txt": "route_id,route_short_name,route_long_name,route_type\nR,1,One,3\n",
    "trips.txt": "route_id,service_id,trip_id\nR,D,T\n",
    "stop_times.txt": """
    trip_id,arrival_time,departure_time,stop_id,stop_sequence
    T,08:00:00,08:00:00,S1,1
    T,08:10:00,08:10:00,S2,2

    """,
    "calendar_dates.txt": "service_id,date,exception_type\nD,20260101,1\n",
  ]
}

extension ToolProcess.Result {
  /// The lines of the output, each parsed as JSON.
  var objects: [[String: Any]] {
    get throws {
      try output.split(separator: "\n").map { line in
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      }
    }
  }

  /// The keys of the first object in the output, in order.
  var keys: [String] {
    let line = output.prefix { $0 != "\n" }
    return line.matches(of: /[{,]"([a-z_]+)":/).map { String($0.1) }
  }

  /// The lines of standard error.
  var complaint: [String] {
    errors.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }
}
