public import Foundation
public import HoldfastFiles

/// A file that belongs to no record.
public struct Orphan: Hashable, Sendable {
  /// The path.
  public var path: RelocatablePath

  /// The file, as its path was when it was listed.
  public var url: URL

  /// The length in bytes.
  public var byteCount: Int64

  /// The name of the folder below the listed one that contains the file, such as a book's folder;
  /// `nil` for a file directly in the listed folder.
  public var itemFolder: String?

  /// The file as it was listed.
  let status: FileStatus

  /// The name of the file.
  public var name: String { path.lastComponent ?? "" }
}
