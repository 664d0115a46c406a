public import Foundation

/// The length and the SHA-256 of a file, which identify its content under any name.
public struct FileDigest: Hashable, Sendable, Codable {
  /// The length in bytes.
  public var byteCount: Int64

  /// The digest of the content.
  public var sha256: SHA256Digest

  /// Creates a digest from known values, for example of a manifest or a record.
  ///
  /// - Parameters:
  ///   - byteCount: the length in bytes.
  ///   - sha256: the digest of the content.
  public init(byteCount: Int64, sha256: SHA256Digest) {
    self.byteCount = byteCount
    self.sha256 = sha256
  }

  /// Computes the digest of a file, reading it in chunks of fixed length.
  ///
  /// - Parameter url: a plain file.
  /// - Throws: ``FileError`` with `.notFound`, `.accessDenied`, `.notRegularFile`, `.invalidPath`
  ///   or `.inputOutput`.
  /// - Important: Never call this on a database that SQLite has open in this process, nor on its
  ///   `-shm`: closing the file releases the locks of the connection, and commits can get lost.
  /// - SeeAlso: https://sqlite.org/howtocorrupt.html, section 2.2.
  public init(of url: URL) throws(FileError) {
    self = try FileReading.digest(of: FilePath(of: url))
  }
}
