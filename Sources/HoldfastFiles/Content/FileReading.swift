/// A reader that passes over a plain file once, chunk by chunk, and computes its digest.
struct FileReading: ~Copyable {
  private let path: FilePath
  private let file: OpenFile
  private var hasher = SHA256()
  private var byteCount: Int64 = 0

  /// The chunk read last, in the first bytes.
  private(set) var buffer = [UInt8](repeating: 0, count: 256 * 1024)

  init(_ path: FilePath) throws(FileError) {
    self.path = path
    self.file = try Self.open(path)
  }

  /// Reads the next chunk into `buffer` and returns its length in bytes; 0 at the end.
  mutating func next() throws(FileError) -> Int {
    do throws(Errno) {
      let count = try SystemCalls.readBytes(file, into: &buffer)
      hasher.update(buffer[..<count])
      byteCount += Int64(count)
      return count
    } catch {
      throw .couldNotRead(path, error)
    }
  }

  /// Returns the digest of all chunks read.
  consuming func digest() -> FileDigest {
    FileDigest(byteCount: byteCount, sha256: hasher.finalize())
  }

  /// Reads a file to its end and returns its digest.
  static func digest(of path: FilePath) throws(FileError) -> FileDigest {
    var reading = try FileReading(path)
    while try reading.next() > 0 {}
    return reading.digest()
  }

  private static func open(_ path: FilePath) throws(FileError) -> OpenFile {
    do throws(Errno) {
      // Checked before opening, because opening a named pipe waits for a writer.
      if try SystemCalls.status(of: path.text).kind == .regular {
        return try SystemCalls.openFile(path.text, for: .read)
      }
    } catch {
      throw .couldNotRead(path, error)
    }
    throw .notRegular(path)
  }
}
