import HoldfastFiles

/// The reader of the small text files of a pack.
enum PackFolderText {
  /// The longest file that is read, in bytes.
  static let byteLimit = 16 * 1024 * 1024

  /// Returns the bytes of a plain file; `nil` when there is none.
  ///
  /// - Throws: `FileError` when the file cannot be read, is not plain, or is too long to be one.
  static func bytes(of path: FilePath) throws(FileError) -> [UInt8]? {
    do throws(Errno) {
      let file = try SystemCalls.openFile(path.text, for: .readPlain)
      guard try SystemCalls.status(of: file).kind == .regular else { throw .invalidArgument }
      var bytes: [UInt8] = []
      while case let next = try SystemCalls.readBytes(
        file, at: bytes.count, count: 64 * 1024), !next.isEmpty
      {
        bytes += next
        if bytes.count > byteLimit { throw .invalidArgument }
      }
      return bytes
    } catch .notFound, .notDirectory {
      return nil
    } catch {
      throw .couldNotRead(path, error)
    }
  }
}
