import Holdfast
import HoldfastFiles
import Synchronization

/// The lock under which a pack's folder changes, which a suspension releases at once.
final class InstallingLock: SuspendableLock {
  private let path: FilePath
  private let file: Mutex<FileLock?>

  init(_ lock: consuming sending FileLock, at path: FilePath) {
    file = Mutex(lock)
    self.path = path
  }

  /// Releases the lock; it waits until a step that runs under it has ended.
  ///
  /// - Returns: Whether it was held until now.
  @discardableResult func end() -> Bool {
    file.withLock { file in
      defer { file = nil }
      return file != nil
    }
  }

  var isHeld: Bool { file.withLock { $0 != nil } }

  /// Runs a step that no other process may interfere with; a suspension waits for its end.
  ///
  /// - Throws: ``PackError`` with `.suspended` when the lock is not held any more; whatever `step`
  ///   throws.
  func perform<Value>(_ step: () throws -> Value) throws -> Value {
    try file.withLock { file in
      guard file != nil else { throw PackError.suspended(path.directory) }
      return try step()
    }
  }
}
