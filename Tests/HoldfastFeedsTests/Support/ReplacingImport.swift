import Foundation
import HoldfastFeeds

extension FeedImporter {
  /// Prepares an import that replaces an existing database, which no process uses.
  static func replacing(feed: URL, output: URL, previous: URL? = nil) -> FeedImporter {
    var importer = FeedImporter(feed: feed, output: output, previous: previous)
    importer.replacesOutput = true
    return importer
  }
}
