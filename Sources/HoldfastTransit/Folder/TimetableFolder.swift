public import Foundation
public import Holdfast
import HoldfastFiles
import Synchronization

/// A folder of timetable databases, one of which is current.
///
/// `holdfast transit import FEED --into FOLDER` adds a database under a new name and makes it the
/// current one in one step, while other processes read the older one:
///
/// | name | content |
/// |---|---|
/// | `1f0c4a5e.db` | a database, which is never modified; the name is the beginning of its SHA-256 |
/// | `current` | the name of the current database, and of the one before |
/// | `leases` | which processes use which database |
///
/// ```swift
/// let timetable = try await Timetable(following: TimetableFolder(at: url))
/// ```
///
/// A database that is neither current nor the one before is removed by the next import, unless a
/// process uses it. Other files of the folder are never touched.
public final class TimetableFolder: DatabaseSource {
  private struct Held {
    var stamp: FileStamp
    weak var lease: DatabaseLease?
  }

  /// The folder.
  public let url: URL

  // Locked while a lease is recorded, so that there is one per database.
  private let held = Mutex<Held?>(nil)

  /// Names a folder, without reading or creating anything.
  ///
  /// - Parameter url: The folder.
  public init(at url: URL) {
    self.url = url
  }

  /// Returns the current database, on the caller's thread.
  ///
  /// The use of the database is recorded in the folder, if this process may write to it.
  ///
  /// - Throws: ``TransitError`` with `.notFound` when the folder has no current database, `.damaged`
  ///   or `.schemaNewer` when its file `current` cannot be used; `FileError`.
  @available(
    *, noasync,
    message:
      "Write `try await currentDatabase()`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func currentDatabase() throws -> SourcedDatabase {
    let folder = GenerationFolder(try FilePath(of: url))
    // Before `current` is read: a switch in between is found by the next call.
    let stamp = FileStamp(folder.current)
    let lease = try held.withLock { held in
      held?.lease?.recordAgain()
      if let held, let lease = held.lease, let stamp, held.stamp == stamp, stamp.isSettled() {
        return lease
      }
      if let lease = held?.lease, try current(in: folder).database == lease.name {
        if let stamp { held?.stamp = stamp }
        return lease
      }
      let lease = try hold(in: folder)
      held = stamp.map { Held(stamp: $0, lease: lease) }
      return lease
    }
    return SourcedDatabase(
      url: folder.path.appending([lease.name.text]).url, generation: lease.name.text,
      isNeverModified: true, keeping: lease)
  }

  private func current(in folder: GenerationFolder) throws -> CurrentDatabase {
    guard let current = try CurrentDatabase.read(in: folder) else {
      throw TransitError.noCurrent(folder.path.text)
    }
    return current
  }

  private func hold(in folder: GenerationFolder) throws -> DatabaseLease {
    var current = try current(in: folder)
    while true {
      let lease = DatabaseLease(current.database, in: folder)
      // If the database is still current, no clean-up was removing it when the lease was recorded: a
      // clean-up reads the leases only after two others have become current.
      let present = try self.current(in: folder)
      if present.database == lease.name { return lease }
      current = present
    }
  }

  /// Returns a sequence with an element for each switch to another database.
  public func switches() -> AsyncStream<Void> {
    do throws(FileError) {
      return ReplacementWatch.switches(of: GenerationFolder(try FilePath(of: url)).current)
    } catch _ {
      // `currentDatabase()` says why there is no folder.
      return AsyncStream { $0.finish() }
    }
  }
}
