import HoldfastFiles

/// The header of a rollback journal, and the name of a super-journal at its end.
///
/// - SeeAlso: <https://www.sqlite.org/fileformat2.html#the_rollback_journal>
struct RollbackJournal: Equatable, Sendable {
  static let headerByteCount = 28
  static let trailerByteCount = 16

  private static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

  /// Whether SQLite rolls back what is in it, when the database is opened next.
  ///
  /// A journal that is kept after a commit is empty, or its header is zero.
  let isHot: Bool

  /// The size of the database before the transaction, in pages; `nil` when it is not known.
  let pageCount: Int64?

  /// Reads the first bytes of a journal.
  init(header: [UInt8]) {
    isHot = header.starts(with: Self.magic)
    pageCount =
      isHot && header.count >= 20 ? header[16..<20].reduce(0) { $0 << 8 | Int64($1) } : nil
  }

  /// Reads the first bytes of a file.
  ///
  /// - Parameters:
  ///   - path: The journal.
  ///   - access: Whether a symbolic link is followed.
  /// - Throws: The number of the system's error.
  init(at path: FilePath, for access: SystemCalls.Access = .readPlain) throws(Errno) {
    let file = try SystemCalls.openFile(path.text, for: access)
    self.init(header: try SystemCalls.readBytes(file, at: 0, count: Self.headerByteCount))
  }

  /// Looks for the name of a super-journal at the end of a journal.
  ///
  /// SQLite would look for the super-journal at its absolute path, and delete it.
  ///
  /// - Parameters:
  ///   - trailer: The last 16 bytes.
  ///   - byteCount: The size of the journal.
  /// - Returns: The size of the journal without the name; `nil` when there is none.
  static func byteCount(withoutNameIn trailer: [UInt8], of byteCount: Int64) -> Int64? {
    guard trailer.count == trailerByteCount, trailer[8...].elementsEqual(magic) else { return nil }
    let length = trailer[..<4].reduce(0) { $0 << 8 | Int64($1) }
    // Before the name is the number of the page that contains the locks.
    let rest = byteCount - Int64(trailerByteCount) - length - 4
    return rest >= 0 ? rest : byteCount - Int64(trailerByteCount)
  }
}
