import HoldfastFiles

/// A claim to open a database, made with a lock file next to it, on systems without file
/// coordination.
struct OpeningLockFile: ~Copyable, Sendable {
  private let path: FilePath
  private var lock: FileLock?

  /// Prepares a claim, without locking yet.
  init(on path: FilePath) {
    self.path = path
  }

  /// Takes the lock if it is free, and returns whether it is held.
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

  /// Returns the process that holds the lock, if known.
  static func holder(for path: FilePath) -> Int32? {
    FileLock.holder(of: file(for: path))
  }

  private static func file(for path: FilePath) -> FilePath {
    path.sibling("." + path.name + ".opening")
  }
}
