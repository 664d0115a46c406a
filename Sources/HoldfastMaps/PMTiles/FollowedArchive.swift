import Holdfast
import HoldfastFiles
import Synchronization

/// A reader of archives that uses, for each access, the current one of a source, as `FollowedDatabase` does for databases.
///
/// An access that is in progress keeps its archive, whose file stays until the access ends.
final class FollowedArchive: Sendable {
  private let source: any DatabaseSource
  private let state: Mutex<FollowedGeneration<ArchiveContent>>
  private let following = Mutex<Task<Void, Never>?>(nil)

  /// Opens the current archive of a source.
  ///
  /// - Throws: As ``ArchiveContent/init(at:keeping:)`` does; whatever the source throws.
  init(_ source: any DatabaseSource) throws {
    self.source = source
    // Before the first look, so that no switch is missed.
    let switches = source.switches()
    state = Mutex(
      try FollowedGeneration(of: source, path: { $0.file.path.text }, open: Self.open))
    let task = Task { [weak self] in
      for await _ in switches {
        guard let self else { return }
        await update()
      }
    }
    following.withLock { $0 = task }
  }

  deinit { following.withLock { $0 }?.cancel() }

  private static func open(_ current: SourcedDatabase) throws -> ArchiveContent {
    let content = try ArchiveContent(at: FilePath(of: current.url), keeping: current)
    try current.checkFile()
    return content
  }

  /// The archive that was opened last.
  var opened: ArchiveContent { state.withLock { $0.opened } }

  /// The reason why the source's current archive is not the one that is open; `nil` if it is.
  var problem: (any Error)? { state.withLock { $0.problem } }

  /// Returns the current archive; blocks the thread while it is opened.
  func current() throws -> ArchiveContent {
    let (content, replaced) = state.withLock { state in
      let replaced = state.follow(source, open: Self.open)
      return (state.opened, replaced)
    }
    // After the lock, because giving up a generation works on files.
    return withExtendedLifetime(replaced) { content }
  }

  /// Follows a switch that the source has announced.
  private func update() async {
    // What went wrong is in `problem`.
    do { _ = try await BlockingWork.userInitiated.run { [self] in try current() } } catch _ {}
  }
}
