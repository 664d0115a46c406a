import Foundation
import Holdfast
import HoldfastFiles
import Synchronization

/// The private copies of databases, of which there are not more than a reader looks at.
///
/// They are made one after the other, so that opening many databases at a time does not fill the volume: each
/// one is made only where enough room stays.
final class CopyShelf: Sendable {
  private let privateFolder: PrivateFolder
  private let console: Console
  private let freeSpace: @Sendable (FilePath) throws(Errno) -> Int64

  /// The databases that have a copy, the one that was copied last at the end.
  private let owners = Mutex<[Owner]>([])
  /// Held while a copy is made.
  private let turn = Mutex(())

  private struct Owner {
    weak var database: InspectedDatabase?
  }

  /// The most databases that have a copy.
  private static let mostCopies = 16

  /// The room that stays on the volume of the copies, in bytes.
  static let reserve: Int64 = 256 << 20

  /// How often as long as it took to be made a copy is used although the database has changed.
  private static let keptTimes = 4

  /// The time for a copy from which on it is used longer than the database stays as it is.
  private static let longCopying = Duration.milliseconds(200)

  /// A copy that was made.
  struct Copy {
    var files: DatabaseFiles
    var moment: DatabaseMoment
    var folder: FilePath
    var time: Duration
  }

  /// Prepares a place for copies.
  ///
  /// - Parameters:
  ///   - privateFolder: Where they are.
  ///   - console: Its interruption ends the copying.
  ///   - freeSpace: Returns the free space of the volume of a path, in bytes.
  init(
    in privateFolder: PrivateFolder, console: Console,
    freeSpace: @escaping @Sendable (FilePath) throws(Errno) -> Int64 = {
      path throws(Errno) in try SystemCalls.freeSpace(at: path.text)
    }
  ) {
    (self.privateFolder, self.console, self.freeSpace) = (privateFolder, console, freeSpace)
  }

  /// Whether a copy is still used although the database has changed.
  ///
  /// A database that an app writes again and again, and that takes long to copy, would be copied all the time.
  static func isKept(_ origin: DatabaseOrigin, at now: ContinuousClock.Instant) -> Bool {
    guard let (end, time) = origin.copying, time > longCopying else { return false }
    return end.duration(to: now) < time * keptTimes
  }

  /// Copies a database, and removes the copies of others that were not used lately where there are too many.
  ///
  /// - Parameters:
  ///   - files: The files of the database.
  ///   - database: Whose copy it becomes.
  ///   - name: The name of the folder of the copy.
  /// - Returns: The copy, and how long it took.
  /// - Throws: ``ToolError`` when the database cannot be copied, or too little room would stay.
  func copy(
    _ files: DatabaseFiles, of database: InspectedDatabase, as name: String
  ) throws -> Copy {
    try turn.withLock { _ in
      makeRoom(for: database)
      try checkRoom(for: files, of: database)
      let folder = privateFolder.path.appending([name])
      try SystemCalls.makeDirectory(folder.text, permissions: 0o700)
      let began = ContinuousClock.now
      do {
        let copy = try DatabaseCopy.make(
          of: files, named: database.name, in: folder, console: console)
        owners.withLock { $0.append(Owner(database: database)) }
        return Copy(
          files: copy.files, moment: copy.moment, folder: folder,
          time: began.duration(to: .now))
      } catch {
        PrivateFolder.remove(folder)
        throw error
      }
    }
  }

  private func makeRoom(for database: InspectedDatabase) {
    let others = owners.withLock { owners in
      owners.removeAll { $0.database == nil || $0.database === database }
      return owners.compactMap(\.database)
    }
    // Whichever is in use now stays, and is in turn after the next copy.
    for other in others.prefix(max(0, others.count + 1 - Self.mostCopies)) where other.giveUpCopy()
    {
      owners.withLock { $0.removeAll { $0.database === other } }
    }
  }

  private func checkRoom(for files: DatabaseFiles, of database: InspectedDatabase) throws {
    var needed: Int64 = 0
    for file in [files.main, files.writeAheadLog, files.journal] {
      let (sum, isTooMuch) = needed.addingReportingOverflow(try file.byteCount() ?? 0)
      needed = isTooMuch ? .max : sum
    }
    let free = try freeSpace(privateFolder.path)
    guard needed > free - Self.reserve else { return }
    throw ToolError.noRoomForCopy(database.name, needed: needed, free: free)
  }
}
