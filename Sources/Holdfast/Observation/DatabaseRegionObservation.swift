import HoldfastSQLite
import Synchronization

/// Tells of each transaction that touched a region, on the connection that committed it.
///
/// ```swift
/// let observation = DatabaseRegionObservation(tracking: DatabaseRegion(table: "stops"))
/// let cancellable = observation.start(in: pool) { error in … } onChange: { db in … }
/// ```
public struct DatabaseRegionObservation: Sendable {
  private let regions: [any DatabaseRegionConvertible]

  /// Creates an observation.
  ///
  /// - Parameter regions: The regions to follow.
  public init(tracking regions: any DatabaseRegionConvertible...) {
    self.init(tracking: regions)
  }

  /// Creates an observation.
  ///
  /// - Parameter regions: The regions to follow.
  public init(tracking regions: [any DatabaseRegionConvertible]) {
    self.regions = regions
  }

  /// Starts to observe.
  ///
  /// Every transaction that is committed after this call is seen, the one that is open included.
  ///
  /// - Parameters:
  ///   - writer: The database: a queue or a pool.
  ///   - onError: Called at most once, when the regions cannot be found out.
  ///   - onChange: Called after each commit that touched the regions, before anybody else writes.
  ///     It may use the connection.
  /// - Returns: What ends the observation when it is cancelled, or when nobody keeps it any more.
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

/// One observation of a region that goes on.
private final class RegionObserver: CommitObserver {
  private let regions: [any DatabaseRegionConvertible]
  private let database: ObservedDatabase
  private let onError: @Sendable (any Error) -> Void
  private let onChange: @Sendable (Database) -> Void

  private enum State {
    case started
    case following(DatabaseRegion)
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
    // A region that is one already needs no connection to be found out.
    let known = regions.compactMap { $0 as? DatabaseRegion }
    state = Mutex(
      known.count == regions.count
        ? .following(known.reduce(DatabaseRegion()) { $0.union($1) }) : .started)
  }

  func start() -> AnyDatabaseCancellable {
    if case .following(let region) = state.withLock({ $0 }), region.namesRows {
      database.publisher?.nameRows()
    }
    database.add(self)
    return AnyDatabaseCancellable { self.end() }
  }

  @discardableResult private func end() -> Bool {
    let goesOn = state.withLock { state in
      defer { state = .ended }
      if case .ended = state { return false }
      return true
    }
    if goesOn { database.remove(self) }
    return goesOn
  }

  func didCommit(_ changes: TransactionChanges, _ db: Database?) {
    let count = database.endingCount
    guard let db else {
      return database.schedule(.write) { [self] access in
        switch access {
        case .success(let db): didCommit(changes, db)
        // Of a database that was closed there is no more to tell.
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

  /// Ends the observation, unless a suspension caused the error: the resume is told like a change of
  /// everything.
  private func fail(_ error: any Error, since count: Int) {
    let cause = database.cause(of: error, since: count) as? DatabaseError
    guard cause?.isDatabaseSuspensionError != true, end() else { return }
    onError(error)
  }

  private func region(_ db: Database) throws -> DatabaseRegion? {
    switch state.withLock({ $0 }) {
    case .ended:
      return nil
    case .following(let region):
      return region
    case .started:
      let region = try regions.unitedRegion(db)
      if region.namesRows { database.publisher?.nameRows() }
      state.withLock { state in
        if case .started = state { state = .following(region) }
      }
      return region
    }
  }
}
