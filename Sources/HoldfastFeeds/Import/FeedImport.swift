public import Foundation
public import HoldfastTransit

/// The result of an import.
public struct FeedImport: Sendable {
  /// The report of how the feed was read, including problems, repairs and fallbacks.
  public var report: FeedReport

  /// The number of rows in the database, by the name of the feed's file that they came from.
  public var rows: [String: Int]

  /// The SHA-256 of the feed's content, in hexadecimal.
  public var feedIdentity: String

  /// The size of the database in bytes.
  public var bytes: Int64

  /// The database.
  public var output: URL

  /// What has changed in the folder of an import into one; `nil` otherwise.
  public var folder: TimetableFolder.Update?
}
