/// The header of a database file: its first 100 bytes.
///
/// - SeeAlso: <https://www.sqlite.org/fileformat2.html>, section 1.3
package struct DatabaseHeader: Hashable, Sendable {
  /// The size of the header, in bytes.
  package static let byteCount = 100

  /// The encryption of a file, as far as its first bytes show it.
  package enum Encryption: Hashable, Sendable {
    /// The file is a database that is not encrypted.
    case none
    /// The file is a database that is encrypted after its first bytes.
    case afterPlaintextHeader
    /// The file may be an encrypted database, or any other file.
    case possible
    /// The file is no database, because it is empty or too short.
    case impossible
  }

  /// Whether the file is encrypted.
  package let encryption: Encryption

  /// Whether the file begins like an unencrypted database.
  package var isDatabase: Bool { encryption == .none }

  /// The version of the file format that a reader must know: 1, or 2 with a write-ahead log; 0 when the file is
  /// encrypted or no database.
  ///
  /// SQLite refuses greater ones. Other engines write them, such as Turso with a journal of row versions.
  ///
  /// - SeeAlso: <https://www.sqlite.org/fileformat2.html>, section 1.3.3
  package let readVersion: Int

  /// Whether SQLite can read a file of this version.
  package var isOfKnownVersion: Bool { readVersion <= 2 }

  /// Whether the database is in write-ahead-log mode.
  package let hasWriteAheadLog: Bool

  /// The size of the file that the header states, in bytes; `nil` when it states none, as files
  /// written by SQLite before 3.7.0.
  package let statedByteCount: Int64?

  /// The size of the file, in bytes.
  package let fileByteCount: Int64

  /// Whether a commit may make the file shorter, as `PRAGMA auto_vacuum` says.
  package let isVacuumedAutomatically: Bool

  /// The size of a page, in bytes; 0 when the file is encrypted or no database.
  package let pageSize: Int

  /// The value of `PRAGMA application_id`; 0 when the file is encrypted or no database.
  package let applicationID: Int32

  /// The value of `PRAGMA user_version`; 0 when the file is encrypted or no database.
  package let userVersion: Int32

  /// Reads a header.
  ///
  /// - Parameters:
  ///   - bytes: The first bytes of the file.
  ///   - fileByteCount: The size of the file, in bytes.
  package init(_ bytes: [UInt8], fileByteCount: Int64) {
    self.fileByteCount = fileByteCount
    guard bytes.count >= Self.byteCount, bytes.starts(with: Array("SQLite format 3\0".utf8)) else {
      // The smallest page has 512 bytes.
      encryption = fileByteCount >= 512 && fileByteCount % 512 == 0 ? .possible : .impossible
      (hasWriteAheadLog, statedByteCount, isVacuumedAutomatically) = (false, nil, false)
      (readVersion, pageSize, applicationID, userVersion) = (0, 0, 0, 0)
      return
    }
    func number(at offset: Int, bytes count: Int) -> Int64 {
      bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int64($1) }
    }
    hasWriteAheadLog = bytes[18] == 2 || bytes[19] == 2
    // The format of the schema is at most 4, and the number of the text encoding at most 3. Both are
    // wrong in an encrypted file, and hardly in a damaged one.
    guard number(at: 44, bytes: 4) <= 4 || number(at: 56, bytes: 4) <= 3 else {
      encryption = .afterPlaintextHeader
      (statedByteCount, isVacuumedAutomatically) = (nil, false)
      (readVersion, pageSize, applicationID, userVersion) = (0, 0, 0, 0)
      return
    }
    encryption = .none
    readVersion = Int(bytes[19])
    // "the value 1 representing a page size of 65536"
    let pageSize = number(at: 16, bytes: 2) == 1 ? 65536 : number(at: 16, bytes: 2)
    let pageCount = number(at: 28, bytes: 4)
    // "only considered to be valid if it is non-zero and if the 4-byte change counter at offset 24
    // exactly matches the 4-byte version-valid-for number at offset 92"
    let isStated = pageCount > 0 && number(at: 24, bytes: 4) == number(at: 92, bytes: 4)
    statedByteCount = isStated ? pageSize * pageCount : nil
    self.pageSize = Int(pageSize)
    isVacuumedAutomatically = number(at: 52, bytes: 4) > 0
    userVersion = Int32(truncatingIfNeeded: number(at: 60, bytes: 4))
    applicationID = Int32(truncatingIfNeeded: number(at: 68, bytes: 4))
  }

  /// Reads the header of a file through SQLite, before SQLite examines the companion files.
  ///
  /// No lock is taken, and nothing is created or written. SQLite's own descriptor is used, so this
  /// process keeps the locks of its connections to the same file.
  ///
  /// - Parameter path: The path of the file.
  /// - Throws: ``DatabaseError`` with `SQLITE_CANTOPEN` when there is no such file, or with
  ///   SQLite's code.
  /// - SeeAlso: <https://www.sqlite.org/howtocorrupt.html>, section 2.2
  package init(ofFileAt path: String) throws {
    let handle = try ConnectionHandle(
      at: .file(path), isReadOnly: true, busyMode: .immediateError, token: AccessToken())
    defer { _ = handle.close() }
    self = try handle.header(path: path)
  }
}
