import Foundation
import HoldfastFeeds
import HoldfastFiles
import HoldfastSamples

/// The chapter in which the sample feed is imported.
struct ImportChapter: DemoChapter {
  let title = "A timetable feed becomes a database"

  func run(_ stage: DemoStage) throws {
    let feed = stage.folder.appending(path: "port-merrow")
    try FileManager.default.createDirectory(at: feed, withIntermediateDirectories: true)
    try HoldfastSamples.writePortMerrow(into: feed)
    var importer = FeedImporter(feed: feed, output: stage.shippedDatabase)
    // That of an earlier demo in this folder.
    importer.replacesOutput = true
    let made = try stage.output.withProgress { bar in
      try importer.run { fraction in
        try bar.show(fraction, "Importing Port Merrow")
      }
    }
    let (stops, routes) = (made.rows["stops.txt"] ?? 0, made.rows["routes.txt"] ?? 0)
    try stage.prove(
      "of \(made.report.files.count) files of Port Merrow, an invented city, it holds all \(stops) stops and "
        + "\(routes) routes",
      stops == made.report.rows["stops.txt"] && routes == made.report.rows["routes.txt"])

    let again = stage.folder.appending(path: "again.db")
    importer.output = again
    _ = try importer.run()
    try stage.prove(
      "importing the same feed again gives the same \(made.bytes) bytes",
      try FileDigest(of: stage.shippedDatabase) == FileDigest(of: again))
    try FileManager.default.removeItem(at: again)
  }
}
