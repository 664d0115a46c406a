import HoldfastSQLite
import Synchronization

/// The state of a database that the connections of a snapshot preserve.
final class SnapshotState: Sendable {
  private struct State {
    var snapshot: LogSnapshot?
    /// The connection whose transaction keeps the state in the log.
    var holder: OpenConnection?
  }

  /// Whether several connections see the state, so that one that lost it can be opened again.
  let isShared: Bool
  private let state: Mutex<State>

  private init(isShared: Bool, _ snapshot: LogSnapshot?) {
    self.isShared = isShared
    state = Mutex(State(snapshot: snapshot))
  }

  /// The state that the only connection of a snapshot sees when it is opened.
  static var ofOneConnection: SnapshotState { SnapshotState(isShared: false, nil) }

  /// A state for several connections: the given one, or what the first of them sees.
  static func shared(_ snapshot: LogSnapshot? = nil) -> SnapshotState {
    SnapshotState(isShared: true, snapshot)
  }

  /// Begins a transaction that sees the state.
  ///
  /// The first connection calls it before there is a second one, and keeps the state for all others.
  func begin(on db: Database) throws {
    if let snapshot = state.withLock({ $0.snapshot }) {
      try db.begin(snapshot)
    } else if isShared {
      let snapshot = try db.beginLogSnapshot()
      state.withLock { $0.snapshot = snapshot }
    } else {
      try db.beginSnapshot()
    }
    state.withLock { $0.holder = $0.holder ?? db.openConnection }
  }

  /// Whether a suspension ended the connection that keeps the state.
  var isLost: Bool { state.withLock { $0.holder }?.isClaimed ?? false }
}
