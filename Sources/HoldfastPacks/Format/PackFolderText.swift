import HoldfastFiles

/// The reader of the small text files of a pack.
enum PackFolderText {
  /// Returns the bytes of a plain file; `nil` when there is none.
  ///
  /// - Throws: `FileError` when the file cannot be read, is not plain, or is too long to be one.
  static func bytes(of path: FilePath) throws(FileError) -> [UInt8]? {
    switch try SmallFile(at: path, upTo: ReadingLimit.packManifest.most) {
    case .none: return nil
    case .bytes(let bytes): return bytes
    case .unsuitable(let errno): throw .couldNotRead(path, errno)
    }
  }
}
