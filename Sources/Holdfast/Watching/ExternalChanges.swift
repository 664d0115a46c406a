public import Foundation
import HoldfastFiles
import HoldfastSQLite

/// The changes that others make to a database: other processes, with whatever library.
///
/// ```swift
/// for await _ in pool.externalChanges {
///   reload()
/// }
/// ```
///
/// No change is missed from the moment at which the iteration begins. Changes that come while
/// nobody asks for the next one become one change. One that says nothing new is possible, as after
/// a checkpoint.
///
/// Of a pool or a queue (``DatabaseReader/externalChanges``) each change is told when it is
/// visible, and own writes are not told; the sequence ends when the database is closed, and is
/// empty in memory. Where the database has a ``ChangeHistory``, the tables are named
/// (``ExternalChange/tables``). Of any other database see ``init(databaseAt:)``.
public struct ExternalChanges: AsyncSequence, Sendable {
  private enum Source: Sendable {
    case pool(ConnectionPool)
    case file(FilePath)
    case nothing
  }

  private let source: Source

  /// Follows a database that another library has open, in this process too.
  ///
  /// Neither the database nor its `-shm` is opened: closing them would drop that library's locks.
  /// So it cannot be known when a change is visible, nor who made it. Each change is told at once,
  /// and again several times within a third of a second; the library's own changes are told too.
  ///
  /// - Parameter url: Where the database lies, or will lie.
  /// - Throws: `FileError` with `.invalidPath` when it is no URL of a file.
  /// - SeeAlso: <https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_>
  public init(databaseAt url: URL) throws {
    source = .file(try FilePath(of: url))
  }

  init(in reader: any DatabaseReader) {
    if let pooled = reader as? any PooledWriter, pooled.path != nil {
      source = .pool(pooled.pool)
    } else {
      source = .nothing
    }
  }

  /// Begins to follow.
  public func makeAsyncIterator() -> Iterator {
    let (observer, ticks) = ExternalChangeObserver.makeWithTicks()
    switch source {
    case .pool(let pool):
      let externalCommits = pool.externalCommits
      observer.onEnd { [weak observer] in externalCommits.removeObserver(observer) }
      externalCommits.addObserver(for: pool, observer)
      if pool.isClosed { observer.finish() }
    case .file(let path):
      let watch = FileWatch(path) { observer.notify(ExternalChange(tables: nil)) }
      observer.onEnd { watch.end() }
    case .nothing:
      observer.finish()
    }
    return Iterator(observer, ticks)
  }

  /// Gives the changes; following ends with it.
  public struct Iterator: AsyncIteratorProtocol {
    private let observer: ExternalChangeObserver
    private var ticks: AsyncStream<Void>.Iterator

    fileprivate init(_ observer: ExternalChangeObserver, _ ticks: AsyncStream<Void>) {
      self.observer = observer
      self.ticks = ticks.makeAsyncIterator()
    }

    /// Waits for the next change.
    ///
    /// - Parameter actor: The actor that asks.
    /// - Returns: What changed since the last one, `nil` when the task was cancelled or the
    ///   database was closed.
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
  /// The changes that other processes and other pools of this one make to the file.
  ///
  /// Empty for what nobody else changes: a database in memory, and a snapshot.
  public var externalChanges: ExternalChanges { ExternalChanges(in: self) }

  /// How well the changes of others are seen, `nil` while nobody observes the database.
  public var watchHealth: WatchHealth? {
    connectionPool?.externalCommits.health
  }
}
