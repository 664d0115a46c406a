/// The content of a small file, which is read at once.
package enum SmallFile: Hashable, Sendable {
  /// Nothing has the name.
  case none
  case bytes([UInt8])
  /// It is not a plain file of at most the expected length; the number says why it was not read.
  case unsuitable(Errno)

  /// Reads a file; a symbolic link is not followed.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - limit: The greatest length of a file that is read, in bytes.
  /// - Throws: ``FileError`` when the file cannot be read.
  package init(at path: FilePath, upTo limit: Int) throws(FileError) {
    do throws(Errno) {
      let file = try SystemCalls.openFile(path.text, for: .readPlain)
      let status = try SystemCalls.status(of: file)
      guard status.kind == .regular, status.byteCount <= limit else {
        self = .unsuitable(.invalidArgument)
        return
      }
      var bytes: [UInt8] = []
      while bytes.count < status.byteCount,
        case let next = try SystemCalls.readBytes(
          file, at: bytes.count, count: Int(status.byteCount) - bytes.count), !next.isEmpty
      {
        bytes += next
      }
      self = .bytes(bytes)
    } catch .notFound, .notDirectory {
      self = .none
    } catch .tooManyLinks {
      self = .unsuitable(.tooManyLinks)
    } catch {
      throw .couldNotRead(path, error)
    }
  }
}
