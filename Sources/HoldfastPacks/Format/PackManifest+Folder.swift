public import Foundation
package import HoldfastFiles

extension PackManifest {
  /// The longest `pack.json` that is read, in bytes.
  static let byteLimit: Int64 = 16 * 1024 * 1024

  /// Reads the manifest of a pack's folder.
  ///
  /// - Parameter folder: The folder that contains `pack.json`.
  /// - Throws: ``PackError`` with `.notFound` when it contains none, and as ``init(data:)`` does;
  ///   `FileError` when the file cannot be read.
  public init(of folder: URL) throws {
    try self.init(of: FilePath(of: folder))
  }

  package init(of folder: FilePath) throws {
    let path = folder.appending([Self.fileName])
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try Self.bytes(of: path)
    } catch .notFound, .notDirectory {
      throw PackError.noManifest(in: folder)
    } catch {
      throw FileError.couldNotRead(path, error)
    }
    do throws(PackError) {
      try self.init(data: Data(bytes))
    } catch {
      var error = error
      error.path = path.text
      throw error
    }
  }

  private static func bytes(of path: FilePath) throws(Errno) -> [UInt8] {
    let file = try SystemCalls.openFile(path.text, for: .readPlain)
    let status = try SystemCalls.status(of: file)
    // A folder or a pipe is no manifest, and neither is a file that fills the memory.
    guard status.kind == .regular, status.byteCount <= byteLimit else { throw .invalidArgument }
    var bytes: [UInt8] = []
    while case let next = try SystemCalls.readBytes(
      file, at: bytes.count, count: 64 * 1024), !next.isEmpty
    {
      bytes += next
      if bytes.count > byteLimit { throw .invalidArgument }
    }
    return bytes
  }
}
