public import Foundation

/// A file that is ready to be used.
public struct PreparedFile: Hashable, Sendable {
  /// The file.
  public var url: URL

  /// The move to the documents; `nil` when there was none.
  public var moved: MovedFile?

  /// The reason the file is still in the caches; `nil` when it is not.
  public var problem: String?
}
