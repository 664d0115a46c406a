import Foundation
import HoldfastFeeds

/// The work of a process that reads a feed.
enum FeedWork {
  /// The name of the feed in the folder of such a process.
  static let feedName = "feed.zip"

  /// The name of the database that it makes there.
  static let databaseName = "timetable.db"

  static func importFeed(_ path: String) throws {
    let folder = URL(filePath: path)
    var importer = FeedImporter(
      feed: folder.appending(path: feedName), output: folder.appending(path: databaseName))
    // The bounds of sizes are those of databases without them; the generated feeds have none.
    importer.shapeDetail = .none
    try importer.run()
    try printPeak()
  }

  static func reportFeed(_ path: String) throws {
    let report = try FeedReport.examine(URL(filePath: path).appending(path: feedName))
    guard report.errorCount == 0 else {
      throw BenchmarkError.childFailed(report.firstError?.message ?? "the feed has errors")
    }
    try printPeak()
  }

  private static func printPeak() throws {
    try FileHandle.standardOutput.write(contentsOf: Data("\(ProcessMemory.peak)\n".utf8))
  }
}

/// A run of such a process.
struct FeedRun {
  /// From the start of the process to its end, in milliseconds.
  let time: Double

  /// The memory that the process had at most, in megabytes.
  let peak: Double

  /// The size of the database, in kilobytes; 0 when none was made.
  let size: Double

  /// Runs a process.
  ///
  /// - Parameters:
  ///   - work: What it does.
  ///   - feed: The archive.
  /// - Throws: ``BenchmarkError`` when it fails.
  init(_ work: ChildWork, _ feed: URL) throws {
    let folder = try TemporaryDirectory()
    try FileManager.default.createSymbolicLink(
      at: folder.file(FeedWork.feedName), withDestinationURL: feed)
    let start = Stopwatch.wallTime
    let words = try ChildProcess(work, folder.url.path).words()
    time = (Stopwatch.wallTime - start) / 1e6
    guard words.count == 1, let bytes = Double(words[0]) else {
      throw BenchmarkError.childFailed(words.joined(separator: " "))
    }
    peak = bytes / 1e6
    let database = folder.file(FeedWork.databaseName)
    // A report makes none.
    size = try work == .importFeed ? Double(Data(contentsOf: database).count) / 1e3 : 0
  }
}
