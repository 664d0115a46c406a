import HoldfastFiles
import HoldfastSQLite

/// The generation of a source that is open, and the reason why a newer one is not.
///
/// A switch to a generation that cannot be opened has no effect but to be reported: ``problem``, and
/// a line in the log.
package struct FollowedGeneration<Opened: Sendable>: Sendable {
  /// The generation that was opened last.
  package private(set) var opened: Opened

  /// The reason why the source's current generation is not the one that is open; `nil` if it is.
  package private(set) var problem: (any Error)?

  private var decision = FollowingState()
  private let path: @Sendable (Opened) -> String?

  /// Opens the current generation of a source.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - path: Returns the path of a generation, for the log.
  ///   - open: Opens a generation.
  /// - Throws: Whatever the source or `open` throws.
  package init(
    of source: any DatabaseSource, path: @escaping @Sendable (Opened) -> String?,
    open: (SourcedDatabase) throws -> Opened
  ) throws {
    let current = try source.currentDatabase()
    opened = try open(current)
    decision.didOpen(current.generation)
    self.path = path
  }

  /// Opens the source's current generation unless it is open already, or was refused a moment ago.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - open: Opens a generation.
  /// - Returns: The generation that was replaced; `nil` if the same one remains in use.
  package mutating func follow(
    _ source: any DatabaseSource, open: (SourcedDatabase) throws -> Opened
  ) -> Opened? {
    let now = ContinuousClock.now - FollowingClock.start
    let current: SourcedDatabase
    do {
      current = try source.currentDatabase()
    } catch {
      report(error, "its source cannot be read")
      return nil
    }
    guard decision.opens(current.generation, at: now) else {
      if decision.isOpen(current.generation) { problem = nil }
      return nil
    }
    do {
      let replaced = opened
      opened = try open(current)
      decision.didOpen(current.generation)
      problem = nil
      return replaced
    } catch {
      // A resume may come at any moment.
      if (error as? DatabaseError)?.isDatabaseSuspensionError != true {
        decision.didRefuse(current.generation, at: now)
      }
      report(error, "'\(current.generation)' cannot be opened")
      return nil
    }
  }

  private mutating func report(_ error: any Error, _ reason: String) {
    if problem == nil {
      Log.report(
        .error, .opening,
        "\(Log.name(path(opened))) remains in use, because \(reason): " + Log.kind(of: error))
    }
    problem = error
  }
}

private enum FollowingClock {
  static let start = ContinuousClock.now
}
