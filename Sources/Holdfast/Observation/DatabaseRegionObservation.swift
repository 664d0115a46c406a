import HoldfastSQLite
import Synchronization

/// An observation of the transactions that change a region of the database.
///
/// `onChange` is called with the connection of the writer:
///
/// ```swift
/// let observation = DatabaseRegionObservation(tracking: DatabaseRegion(table: "stops"))
/// let cancellable = observation.start(in: pool) { error in … } onChange: { db in … }
/// ```
public struct DatabaseRegionObservation: Sendable {
  private let regions: [any DatabaseRegionConvertible]

  /// Creates an observation.
  ///
  /// - Parameter regions: The regions to observe.
  public init(tracking regions: any DatabaseRegionConvertible...) {
    self.init(tracking: regions)
  }

  /// Creates an observation.
  ///
  /// - Parameter regions: The regions to observe.
  public init(tracking regions: [any DatabaseRegionConvertible]) {
    self.regions = regions
  }

  /// Starts the observation.
  ///
  /// Every transaction that is committed after this call is observed, including one that is open
  /// now.
  ///
  /// - Parameters:
  ///   - writer: The database: a queue or a pool.
  ///   - onError: Called at most once, when the regions cannot be determined.
  ///   - onChange: Called after each commit that changed the regions, before the next write begins.
  ///     It may use the connection.
  /// - Returns: The cancellable, which ends the observation when it is cancelled or deinitialized.
  public func start(
    in writer: any DatabaseWriter,
    onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable (Database) -> Void
  ) -> AnyDatabaseCancellable {
    let observer = RegionObserver(
      regions, of: ObservedDatabase(writer), onError: onError, onChange: onChange)
    return observer.start()
  }
}

/// The observer of a started region observation.
private final class RegionObserver: CommitObserver {
  private let regions: [any DatabaseRegionConvertible]
  private let database: ObservedDatabase
  private let onError: @Sendable (any Error) -> Void
  private let onChange: @Sendable (Database) -> Void

  private enum State {
    case started
    case observing(DatabaseRegion)
    case ended
  }

  private let state: Mutex<State>

  init(
    _ regions: [any DatabaseRegionConvertible], of database: ObservedDatabase,
    onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable (Database) -> Void
  ) {
    self.regions = regions
    self.database = database
    self.onError = onError
    self.onChange = onChange
    // A value that is a `DatabaseRegion` needs no connection to be resolved.
    let known = regions.compactMap { $0 as? DatabaseRegion }
    state = Mutex(
      known.count == regions.count
        ? .observing(known.reduce(DatabaseRegion()) { $0.union($1) }) : .started)
  }

  func start() -> AnyDatabaseCancellable {
    let known: DatabaseRegion? =
      if case .observing(let region) = state.withLock({ $0 }) { region } else { nil }
    database.add(self, observing: known)
    return AnyDatabaseCancellable { self.end() }
  }

  @discardableResult private func end() -> Bool {
    let wasRunning = state.withLock { state in
      defer { state = .ended }
      if case .ended = state { return false }
      return true
    }
    if wasRunning { database.remove(self) }
    return wasRunning
  }

  func didCommit(_ changes: TransactionChanges, _ db: Database?) {
    let count = database.endingCount
    guard let db else {
      return database.schedule(.write) { [self] access in
        switch access {
        case .success(let db): didCommit(changes, db)
        // A database that was closed has no further changes to report.
        case .failure(ResultCode.SQLITE_MISUSE): break
        case .failure(let error): fail(error, since: count)
        }
        return {}
      }
    }
    do {
      if let region = try region(db), changes.touch(region) { onChange(db) }
    } catch {
      fail(error, since: count)
    }
  }

  /// Ends the observation, unless a suspension caused the error.
  ///
  /// The resume is published as a change of the whole database.
  private func fail(_ error: any Error, since count: Int) {
    let cause = database.cause(of: error, since: count) as? DatabaseError
    guard cause?.isDatabaseSuspensionError != true, end() else { return }
    onError(error)
  }

  private func region(_ db: Database) throws -> DatabaseRegion? {
    switch state.withLock({ $0 }) {
    case .ended:
      return nil
    case .observing(let region):
      return region
    case .started:
      let region = try regions.unitedRegion(db)
      database.publisher?.nameRows(of: region, for: self)
      state.withLock { state in
        if case .started = state { state = .observing(region) }
      }
      return region
    }
  }
}
