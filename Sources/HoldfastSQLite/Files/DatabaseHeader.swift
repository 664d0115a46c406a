/// What the first bytes of a file say about the database in it.
///
/// - SeeAlso: <https://www.sqlite.org/fileformat2.html>, section 1.3
package struct DatabaseHeader: Hashable, Sendable {
  /// How many bytes it has in the file.
  package static let byteCount = 100

  /// Whether the file begins as a database does that is not encrypted.
  package let isDatabase: Bool

  /// Whether the database is in write-ahead-log mode.
  package let hasWriteAheadLog: Bool

  /// How long the file is by its own account, in bytes; `nil` when its writer did not say, as those
  /// before SQLite 3.7.0 did not.
  package let statedByteCount: Int64?

  /// How long the file is, in bytes.
  package let fileByteCount: Int64

  /// Reads a header.
  ///
  /// - Parameters:
  ///   - bytes: The first bytes of the file.
  ///   - fileByteCount: How long the file is.
  package init(_ bytes: [UInt8], fileByteCount: Int64) {
    self.fileByteCount = fileByteCount
    guard bytes.count >= Self.byteCount, bytes.starts(with: Array("SQLite format 3\0".utf8)) else {
      (isDatabase, hasWriteAheadLog, statedByteCount) = (false, false, nil)
      return
    }
    func number(at offset: Int, bytes count: Int) -> Int64 {
      bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int64($1) }
    }
    isDatabase = true
    hasWriteAheadLog = bytes[18] == 2 || bytes[19] == 2
    // "the value 1 representing a page size of 65536"
    let pageSize = number(at: 16, bytes: 2) == 1 ? 65536 : number(at: 16, bytes: 2)
    let pageCount = number(at: 28, bytes: 4)
    // "only considered to be valid if it is non-zero and if the 4-byte change counter at offset 24
    // exactly matches the 4-byte version-valid-for number at offset 92"
    let isStated = pageCount > 0 && number(at: 24, bytes: 4) == number(at: 92, bytes: 4)
    statedByteCount = isStated ? pageSize * pageCount : nil
  }

  /// Reads the header of a file, through SQLite and before it looks at what lies beside the file.
  ///
  /// Nothing is locked, created or written. SQLite's own descriptor does the reading, so the locks
  /// of connections that this process has on the same file stay.
  ///
  /// - Parameter path: The path of the file.
  /// - Throws: ``DatabaseError`` with `SQLITE_CANTOPEN` when there is no such file, or with the
  ///   code SQLite gave.
  /// - SeeAlso: <https://www.sqlite.org/howtocorrupt.html>, section 2.2
  package init(ofFileAt path: String) throws {
    let handle = try ConnectionHandle(
      at: .file(path), isReadOnly: true, busyMode: .immediateError, token: AccessToken())
    defer { _ = handle.close() }
    self = try handle.header(path: path)
  }
}
