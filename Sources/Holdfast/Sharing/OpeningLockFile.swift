import HoldfastFiles

/// The claim to open a database, as a lock file beside it: for systems without file coordination.
struct OpeningLockFile: ~Copyable, Sendable {
  private let path: FilePath
  private var lock: FileLock?

  /// Prepares a claim; nothing is locked yet.
  init(on path: FilePath) {
    self.path = path
  }

  /// Whether the lock is held, from now on if it is free.
  mutating func isGranted() throws(FileError) -> Bool {
    if lock != nil { return true }
    do throws(FileError) {
      lock = try FileLock(Self.file(for: path), guarding: path, waitingUpTo: .zero)
      return true
    } catch {
      if error.code == .busy { return false }
      throw error
    }
  }

  /// The process that holds the lock, where the system tells.
  static func holder(for path: FilePath) -> Int32? {
    FileLock.holder(of: file(for: path))
  }

  private static func file(for path: FilePath) -> FilePath {
    path.beside("." + path.name + ".opening")
  }
}
