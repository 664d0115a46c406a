public import Foundation
import HoldfastFiles
import HoldfastSQLite

/// The changes of a database by other connections, in any process and by any library.
///
/// ```swift
/// for await _ in pool.externalChanges {
///   reload()
/// }
/// ```
///
/// No change is missed from the beginning of the iteration. Changes that occur before the loop
/// requests the next element are merged into one. An element without a change is possible, for
/// example after a checkpoint.
///
/// For a pool or a queue (``DatabaseReader/externalChanges``) each change is delivered when it is
/// visible, and own writes are not delivered; the sequence ends when the database is closed, and is
/// empty for a database in memory. If the database has a ``ChangeHistory``, the tables are known
/// (``ExternalChange/tables``). For any other database see ``init(databaseAt:)``.
public struct ExternalChanges: AsyncSequence, Sendable {
  private enum Source: Sendable {
    case pool(ConnectionPool)
    case file(FilePath)
    case nothing
  }

  private let source: Source

  /// Creates a sequence for a database that another library has open, in this process too.
  ///
  /// Neither the database nor its `-shm` is opened: closing them would release that library's
  /// locks. So neither the moment at which a change becomes visible nor its origin is known. Each
  /// change is delivered immediately, and again several times within a third of a second; the
  /// library's own changes are delivered too.
  ///
  /// - Parameter url: The file of the database, which need not exist yet.
  /// - Throws: `FileError` with `.invalidPath` if it is not a file URL.
  /// - SeeAlso: <https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_>
  public init(databaseAt url: URL) throws {
    source = .file(try FilePath(of: url))
  }

  init(in reader: any DatabaseReader) {
    if let pooled = reader.unerased as? any PooledWriter, pooled.path != nil {
      source = .pool(pooled.pool)
    } else {
      source = .nothing
    }
  }

  /// Starts the observation.
  public func makeAsyncIterator() -> Iterator {
    let (observer, ticks) = ExternalChangeObserver.makeWithTicks()
    switch source {
    case .pool(let pool):
      let externalCommits = pool.externalCommits
      observer.onEnd { [weak observer] in externalCommits.removeObserver(observer) }
      externalCommits.addObserver(for: pool, observer)
      if pool.isClosed { observer.finish() }
    case .file(let path):
      let monitor = FileWatch(path) { observer.notify(ExternalChange(tables: nil)) }
      observer.onEnd { monitor.end() }
    case .nothing:
      observer.finish()
    }
    return Iterator(observer, ticks)
  }

  /// An iterator over the changes; the observation ends with it.
  public struct Iterator: AsyncIteratorProtocol {
    private let observer: ExternalChangeObserver
    private var ticks: AsyncStream<Void>.Iterator

    fileprivate init(_ observer: ExternalChangeObserver, _ ticks: AsyncStream<Void>) {
      self.observer = observer
      self.ticks = ticks.makeAsyncIterator()
    }

    /// Waits for the next change.
    ///
    /// - Parameter actor: The actor on which the call is made.
    /// - Returns: The changes since the last one; `nil` if the task was cancelled or the database
    ///   was closed.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> ExternalChange? {
      while await ticks.next(isolation: actor) != nil {
        if let change = observer.take() { return change }
      }
      return nil
    }
  }
}

extension DatabaseReader {
  /// The changes of the file by other processes and by other pools of this process.
  ///
  /// Empty for a database in memory and for a snapshot, which no other connection changes.
  public var externalChanges: ExternalChanges { ExternalChanges(in: self) }

  /// The health of the detection of other connections' commits; `nil` while there is no observer.
  public var watchHealth: WatchHealth? {
    connectionPool?.externalCommits.health
  }
}
