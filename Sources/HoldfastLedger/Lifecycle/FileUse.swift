public import Foundation
public import HoldfastFiles

/// The known use of a record's file.
public struct FileUse: Hashable, Sendable {
  /// The root of the file.
  public var root: StorageRoot

  /// The time of the last access that counted; `nil` when there was none.
  public var lastAccess: Date?

  /// The use since then, which is too short to count.
  public var uncounted: Duration = .zero

  /// Whether the app has marked the file as finished since its last access.
  public var isFinished = false

  /// Whether the file stays in the documents.
  public var isPinned = false

  /// Creates the use of a file that was never accessed.
  ///
  /// - Parameter root: The root of the file.
  public init(root: StorageRoot) {
    self.root = root
  }

  /// Adds a use.
  ///
  /// - Parameters:
  ///   - duration: How long the file was used; a negative one is ignored.
  ///   - time: The end of the use.
  ///   - policy: The rules.
  mutating func add(_ duration: Duration, at time: Date, _ policy: LifecyclePolicy) {
    uncounted += max(duration, .zero)
    guard uncounted >= policy.countedUse else { return }
    uncounted = .zero
    lastAccess = time
    isFinished = false
  }
}
