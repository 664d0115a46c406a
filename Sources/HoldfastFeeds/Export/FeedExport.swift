/// The result of an export.
public struct FeedExport: Sendable, Hashable {
  /// The number of rows of each file, by its name.
  public var rows: [String: Int]

  /// The size of the archive or database, or of all files in the folder, in bytes.
  public var bytes: Int64
}
