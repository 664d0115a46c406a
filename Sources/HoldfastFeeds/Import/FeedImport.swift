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

  /// The number of stops that `stop_times.txt` names and that lost all service, because rows or values
  /// could not be used; the ``report`` says which.
  public var stopsWithoutService = 0

  /// Whether no vehicle calls anywhere in the database, because rows or values could not be used.
  public var isWithoutService = false

  /// The database.
  public var output: URL

  /// The change of the folder into which the feed was imported; `nil` for an import into a file.
  public var folder: TimetableFolder.Update?
}
