public import Foundation

/// An exclusive lock that other processes, and other threads of this one, respect.
///
/// The lock is advisory: it excludes only code that takes it too. It is held as long as this value
/// lives and ends with the process, however the process ends. Its file is empty and is removed on
/// release; anything else with that name is refused and left as it is.
///
/// ```swift
/// let lock = try FileLock(at: folder.appending(path: ".import.lock"), waitingUpTo: .seconds(5))
/// try importFeed()
/// lock.release()
/// ```
///
/// - Important: No lock may be held during a suspension: iOS terminates an app that is suspended
///   while it holds one in a shared container. Release it before, and take it again afterwards.
public struct FileLock: ~Copyable, Sendable {
  // flock(2), not fcntl(2): such a lock belongs to the open file, so threads exclude each other,
  // and closing another descriptor of the file does not release it. Open-file-description locks
  // are the same in this respect, but not public on Apple platforms.
  private let file: OpenFile
  private let path: FilePath

  /// Takes the lock, creating its file if needed.
  ///
  /// - Parameters:
  ///   - url: The lock's own file, in an existing folder; never a database.
  ///   - limit: How long to wait for the current holder, blocking this thread; zero by default.
  ///     Waiters are not served in order.
  /// - Throws: ``FileError`` with `.busy` when the lock is not released within `limit`; `.notFound`
  ///   when the folder does not exist; `.notRegularFile` when something other than an empty plain
  ///   file has this name, including a symbolic link; `.companion` when it is the name of a file
  ///   that is kept next to a database, whose empty log would be removed on release;
  ///   `.accessDenied`, `.readOnly`, `.noSpace`, `.invalidPath` or `.inputOutput`.
  public init(at url: URL, waitingUpTo limit: Duration = .zero) throws(FileError) {
    let path = try FilePath(of: url)
    if let companion = try DatabaseCompanion.named(path) {
      throw .companion(companion, for: path)
    }
    try self.init(path, guarding: nil, waitingUpTo: limit)
  }

  /// Takes the lock that guards another file; errors name that file.
  package init(
    _ path: FilePath, guarding guarded: FilePath?, waitingUpTo limit: Duration
  ) throws(FileError) {
    var wait = LockWait(upTo: limit)
    while true {
      if let file = try Self.attempt(path, guarding: guarded) {
        self.file = file
        self.path = path
        return
      }
      guard wait.pause() else { throw .busy(guarded ?? path, waited: limit) }
    }
  }

  deinit {
    // Removed while locked, so that no other holder's new file is removed. A file that cannot be
    // removed is empty and harmless.
    try? SystemCalls.remove(path.text)
    // Closing alone is not enough while a child process that was just forked has a copy of the
    // descriptor, until its exec.
    try? SystemCalls.unlock(file)
  }

  /// Releases the lock now.
  public consuming func release() {}

  /// Tries once to take the lock; `nil` when another holder has it.
  private static func attempt(
    _ path: FilePath, guarding guarded: FilePath?
  ) throws(FileError) -> OpenFile? {
    do throws(Errno) {
      while true {
        let file = try SystemCalls.openFile(path.text, for: .openOrCreate)
        do throws(Errno) {
          try SystemCalls.lock(file)
        } catch .wouldBlock {
          return nil
        }
        let locked = try SystemCalls.status(of: file)
        // Releasing removes the file, so it must not have any content.
        guard locked.kind == .regular, locked.byteCount == 0 else { break }
        // The previous holder may have removed the file between our two calls; then our lock is on
        // a file without a name, and the next process would lock another file.
        if try isStill(locked, at: path) { return file }
      }
    } catch .tooManyLinks {
      throw .notALock(path)
    } catch {
      throw .couldNotLock(path, guarding: guarded, error)
    }
    throw .notALock(path)
  }

  private static func isStill(
    _ locked: FileStatus, at path: FilePath
  ) throws(Errno) -> Bool {
    do throws(Errno) {
      return try SystemCalls.status(of: path.text).isSameFile(as: locked)
    } catch .notFound {
      return false
    }
  }
}
