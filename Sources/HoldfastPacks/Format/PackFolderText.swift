import HoldfastFiles

/// The reader of the small text files of a pack.
enum PackFolderText {
  /// The longest file that is read, in bytes.
  static let byteLimit = 16 * 1024 * 1024

  /// Returns the bytes of a plain file; `nil` when there is none.
  ///
  /// - Throws: `FileError` when the file cannot be read, is not plain, or is too long to be one.
  static func bytes(of path: FilePath) throws(FileError) -> [UInt8]? {
    switch try SmallFile(at: path, upTo: byteLimit) {
    case .none: return nil
    case .bytes(let bytes): return bytes
    case .unsuitable(let errno): throw .couldNotRead(path, errno)
    }
  }
}
