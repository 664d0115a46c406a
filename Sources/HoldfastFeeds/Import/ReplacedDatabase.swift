import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTransit

/// The file that a new timetable database replaces, if there is one.
struct ReplacedDatabase {
  private let file: URL
  private let isWanted: Bool

  /// Describes the file at the place of a new database.
  ///
  /// - Parameters:
  ///   - file: The place.
  ///   - isWanted: Whether a timetable database there is replaced.
  init(at file: URL, isWanted: Bool) {
    self.file = file
    self.isWanted = isWanted
  }

  /// Refuses a file that is not to be replaced, is used, or cannot have been made by an import.
  ///
  /// - Throws: ``FeedError`` with `.outputExists`, `.outputInUse` or `.foreignOutput`; `FileError` for
  ///   a symbolic link; `DatabaseError` when the file cannot be read.
  func check() throws {
    let path = try FilePath(of: file)
    try path.refuseLink()
    guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else { return }
    if isWanted, let user = try DatabaseUsers.lastingUser(of: path) {
      throw FeedError.outputInUse(file.lastPathComponent, by: "\(user)")
    }
    try refuseForeign()
    guard isWanted else { throw FeedError.outputExists(file.lastPathComponent) }
  }

  private func refuseForeign() throws {
    do {
      // Not read-only: with a foreign database in WAL mode, a read-only connection would leave a
      // `-wal` and a `-shm` behind. Nothing is written.
      let queue = try DatabaseQueue(path: file.path(percentEncoded: false))
      defer { queue.closeIgnoringErrors() }
      let id = try queue.read { db in try db.headerNumber(.applicationID) }
      guard id == TimetableSchema.applicationID else {
        throw FeedError.foreignOutput(file.lastPathComponent)
      }
    } catch let error as DatabaseError
      where [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode)
    {
      throw FeedError.foreignOutput(file.lastPathComponent, error)
    }
  }
}
