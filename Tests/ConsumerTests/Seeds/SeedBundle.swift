import Foundation
import HoldfastFeeds
import HoldfastTestSupport

/// The folder that stands for the bundle of the transit app, with `gtfs.db` in it.
enum SeedBundle {
  /// Made once; a failure is what the tests report.
  static let made: Result<TemporaryDirectory, any Error> = Result {
    let directory = try TemporaryDirectory()
    let sample = try SourceTree.ofThisPackage().root.appending(path: "Samples/port-merrow")
    _ = try FeedImporter(feed: sample, output: directory.file("gtfs.db")).run()
    // The app's manager has it open until then, and nothing that is static dies before.
    atexit { try? FileManager.default.removeItem(at: SeedBundle.made.get().url) }
    return directory
  }

  /// The path of a file in it; `nil` when it could not be made.
  static func path(of name: String) -> String? {
    try? made.get().file(name).path(percentEncoded: false)
  }
}
