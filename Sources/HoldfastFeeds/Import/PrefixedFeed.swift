public import Foundation

/// A feed that shares a database with other feeds.
public struct PrefixedFeed: Sendable, Hashable {
  /// The feed: a GTFS zip or a folder.
  public var url: URL

  /// The text before each identifier of the feed, such as `bus_`.
  public var prefix: String

  /// Creates a feed with a prefix.
  ///
  /// - Parameters:
  ///   - url: A GTFS zip or a folder.
  ///   - prefix: The text before each identifier, without spaces, quotes and commas; at most one of
  ///     several feeds has none.
  public init(_ url: URL, prefix: String = "") {
    (self.url, self.prefix) = (url, prefix)
  }
}
