import Foundation
import HoldfastFiles

/// A folder in the system's temporary folder that only this user can enter, for copies of databases.
///
/// It is locked while its process lives, so that the next one can tell what a killed process has left,
/// and removes it.
final class PrivateFolder: Sendable {
  /// The folder of the copies.
  let path: FilePath

  /// The folder with the lock, and all that is removed at the end.
  var root: FilePath { place.root }

  private let place: Place

  private struct Place: ~Copyable {
    let root: FilePath
    let lock: FileLock
  }

  private static let mark = "holdfast-copies-"
  private static let lockName = "lock"

  /// Creates an empty folder, and removes the folders of processes that were killed.
  ///
  /// - Parameter container: The container that is examined, in which the folder must not lie; `nil` when
  ///   no container is.
  /// - Throws: ``ToolError`` with `.cannotCreate` when the temporary folder lies in the container,
  ///   or the folder cannot be created.
  init(outside container: FilePath?) throws {
    let temporary = FileManager.default.temporaryDirectory
    do {
      let parent = FilePath(try SystemCalls.realPath(temporary.path(percentEncoded: false)))
      guard container.flatMap({ parent.names(below: $0) }) == nil else {
        throw ToolError.temporaryFolderInContainer(parent.text)
      }
      let place = try Self.make(in: parent)
      path = place.root.appending(["files"])
      do throws(Errno) {
        try SystemCalls.makeDirectory(path.text, permissions: 0o700)
      } catch {
        Self.remove(place.root)
        throw error
      }
      Self.removeLeftovers(in: parent, except: place.root, container)
      self.place = place
    } catch let error as Errno {
      throw ToolError.noTemporaryFolder(
        temporary.path(percentEncoded: false), reason: SystemCalls.description(of: error))
    }
  }

  private static func make(in parent: FilePath) throws -> Place {
    var attempts = 3
    while true {
      let root = parent.appending([mark + UUID().uuidString])
      try SystemCalls.makeDirectory(root.text, permissions: 0o700)
      do throws(FileError) {
        let lock = try FileLock(root.appending([lockName]), guarding: root, waitingUpTo: .zero)
        return Place(root: root, lock: lock)
      } catch {
        // Another process may have taken it for a killed one's before it was locked.
        remove(root)
        attempts -= 1
        guard attempts > 0 else { throw error }
      }
    }
  }

  /// Removes what killed processes of this user have left, and nothing that somebody else could call so.
  private static func removeLeftovers(
    in parent: FilePath, except root: FilePath, _ container: FilePath?
  ) {
    do {
      try SystemCalls.examiningProcesses {
        let owner = try SystemCalls.linkStatus(of: root.text).owner
        var entries = try OpenDirectory(parent.text)
        while let entry = try entries.next() {
          guard let name = entry.name, name.utf8.starts(with: mark.utf8),
            UUID(uuidString: String(name.dropFirst(mark.count))) != nil
          else { continue }
          let folder = parent.appending([name])
          guard folder != root, container?.names(below: folder) == nil else { continue }
          let status = try SystemCalls.linkStatus(of: folder.text)
          guard status.kind == .directory, status.owner == owner else { continue }
          removeLeftover(folder, status)
        }
      }
    } catch _ {
      // A later run removes the rest.
    }
  }

  private static func removeLeftover(_ folder: FilePath, _ status: FileStatus) {
    do {
      let lockFile = folder.appending([lockName])
      // A living process holds the lock; a folder without one is about to get it, empty, or half removed.
      guard try lockFile.exists() else {
        let hourAgo = (Date().timeIntervalSince1970 - 3600) * 1_000_000_000
        if Double(status.modified) < hourAgo { return remove(folder) }
        return try SystemCalls.removeDirectory(folder.text)
      }
      let lock = try FileLock(lockFile, guarding: folder, waitingUpTo: .zero)
      remove(folder)
      lock.release()
    } catch _ {
      // It is in use, or another process removes it.
    }
  }

  /// Makes a folder in it, for the copy of one database.
  ///
  /// - Returns: A new folder, which only this user can enter.
  /// - Throws: The number of the system's error.
  func makeFolder() throws(Errno) -> FilePath {
    let folder = path.appending([UUID().uuidString])
    try SystemCalls.makeDirectory(folder.text, permissions: 0o700)
    return folder
  }

  /// Removes a folder that ``makeFolder()`` has made, with all that is in it.
  func removeFolder(_ folder: FilePath) {
    do {
      try FileManager.default.removeItem(atPath: folder.text)
    } catch _ {
      // What stays is removed with the whole folder.
    }
  }

  /// Removes all copies.
  func empty() {
    do {
      for name in try FileManager.default.contentsOfDirectory(atPath: path.text) {
        try FileManager.default.removeItem(atPath: path.appending([name]).text)
      }
    } catch _ {
      // The rest is removed with the folder.
    }
  }

  /// Removes the folder with all that is in it.
  func remove() { Self.remove(root) }

  /// Removes a folder of this kind, also while another thread writes to it.
  ///
  /// The lock stays as long as a copy does, so that the next run knows what a signal has left.
  static func remove(_ root: FilePath) {
    do {
      let manager = FileManager.default
      let files = root.appending(["files"]).text
      if manager.fileExists(atPath: files) { try manager.removeItem(atPath: files) }
      try manager.removeItem(atPath: root.text)
    } catch _ {
      // There is no place to report that it stays.
    }
  }
}
