import Holdfast
import HoldfastFiles
import Synchronization

/// A reader of archives that uses, for each access, the current one of a source, as `FollowedDatabase` does for databases.
///
/// An access that is in progress keeps its archive, whose file stays until the access ends.
final class FollowedArchive: Sendable {
  private struct State {
    var decision = FollowingState()
    var opened: ArchiveContent
    var problem: (any Error)?
  }

  private let source: any DatabaseSource
  private let state: Mutex<State>
  private let following = Mutex<Task<Void, Never>?>(nil)

  private static let start = ContinuousClock.now

  /// Opens the current archive of a source.
  ///
  /// - Throws: As ``ArchiveContent/init(at:keeping:)`` does; whatever the source throws.
  init(_ source: any DatabaseSource) throws {
    self.source = source
    // Before the first look, so that no switch is missed.
    let switches = source.switches()
    let current = try source.currentDatabase()
    var state = State(opened: try Self.open(current))
    state.decision.didOpen(current.generation)
    self.state = Mutex(state)
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
      let before = state.opened
      follow(&state)
      return (state.opened, before)
    }
    // After the lock, because giving up a generation works on files.
    return withExtendedLifetime(replaced) { content }
  }

  private func follow(_ state: inout State) {
    let now = ContinuousClock.now - Self.start
    let current: SourcedDatabase
    do {
      current = try source.currentDatabase()
    } catch {
      report(error, "its source cannot be read", &state)
      return
    }
    guard state.decision.opens(current.generation, at: now) else {
      if state.decision.isOpen(current.generation) { state.problem = nil }
      return
    }
    do {
      state.opened = try Self.open(current)
      state.decision.didOpen(current.generation)
      state.problem = nil
    } catch {
      state.decision.didRefuse(current.generation, at: now)
      report(error, "'\(current.generation)' cannot be opened", &state)
    }
  }

  private func report(_ error: any Error, _ reason: String, _ state: inout State) {
    if state.problem == nil {
      Log.report(
        .error, .opening,
        "\(Log.name(state.opened.file.path.text)) remains in use, because \(reason): "
          + Log.kind(of: error))
    }
    state.problem = error
  }

  /// Follows a switch that the source has announced.
  private func update() async {
    // What went wrong is in `problem`.
    do { _ = try await BlockingWork.userInitiated.run { [self] in try current() } } catch _ {}
  }
}
