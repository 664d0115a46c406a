import HoldfastTestSupport
import Testing

@testable import Holdfast

extension NotifiedSuites {
  /// Databases that continue to be read while they are suspended.
  @Suite(.timeLimit(.minutes(2))) struct SuspendedReadingConcurrencyTests: SuspensionSuite {
    let folder: TemporaryDirectory

    init() throws {
      folder = try TemporaryDirectory()
    }

    /// What stays readable while it is suspended is not written on the connection of another's lease.
    @Test func aWriteOutsideOfALeaseFailsWhileTheLeaseWrites() async throws {
      var configuration = Self.configuration
      configuration.observesSuspensionNotifications = true
      let writers: [any DatabaseWriter] = [
        try makePool(configuration), try DatabaseQueue(path: path, configuration: configuration),
      ]
      for writer in writers {
        await writer.suspend()
        let before = try await count(writer)
        try await writer.withBackgroundLease {
          try await writer.write { db in try db.execute(sql: "INSERT INTO t VALUES ('leased')") }
          let outside = await Task.detached {
            try await writer.write { db in try db.execute(sql: "INSERT INTO t VALUES ('outside')") }
          }.result
          #expect(throws: DatabaseError.self) { try outside.get() }
          let seen = try await Task.detached { try await self.count(writer) }.value
          #expect(seen == before.map { $0 + 1 })
          try await writer.write { db in try db.execute(sql: "INSERT INTO t VALUES ('again')") }
        }
        writer.resume()
        #expect(try await count(writer) == before.map { $0 + 2 })
      }
    }

    private final class CommitCounter: TransactionObserver, Sendable {
      let commits = Journal<String>()
      func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
      func databaseDidChange(with event: DatabaseEvent) {}
      func databaseDidCommit(_ db: Database) { commits.append("commit") }
      func databaseDidRollback(_ db: Database) {}
    }

    /// Runs the closure with a pool and a queue that refuse every access while they are suspended, and with
    /// those that continue to be read; it receives whether they do.
    private func withEachWriter(
      _ body: (any DatabaseWriter, _ isReadable: Bool) async throws -> Void
    ) async throws {
      var reading = Self.configuration
      reading.observesSuspensionNotifications = true
      for (configuration, isReadable) in [(Self.configuration, false), (reading, true)] {
        let pool = try makePool(configuration)
        try await body(pool, isReadable)
        try pool.close()
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try await body(queue, isReadable)
        try queue.close()
      }
    }

    /// Reads while the writer is suspended: on a connection of its own, or in vain.
    private func read(_ writer: any DatabaseWriter, isReadable: Bool) async throws {
      if isReadable {
        #expect(try await count(writer) ?? 0 > 0)
      } else {
        await #expect(throws: DatabaseError.self) { try await count(writer) }
      }
    }

    @Test func anObserverOutlivesTheAccessesOfASuspendedDatabase() async throws {
      try await withEachWriter { writer, isReadable in
        let observer = CommitCounter()
        writer.add(transactionObserver: observer, extent: .databaseLifetime)
        await writer.suspend()
        for _ in 0..<2 {
          await #expect(throws: DatabaseError.self) {
            try await writer.write { db in try db.execute(sql: "INSERT INTO t VALUES ('no')") }
          }
          try await read(writer, isReadable: isReadable)
        }
        writer.resume()
        try await writer.write { db in try db.execute(sql: "INSERT INTO t VALUES ('after')") }
        #expect(observer.commits.entries == ["commit"])
      }
    }

    @Test func anObserverMayBeAddedOrRemovedWhileItIsSuspended() async throws {
      try await withEachWriter { writer, isReadable in
        let (removed, added) = (CommitCounter(), CommitCounter())
        writer.add(transactionObserver: removed)
        await writer.suspend()
        #expect(try locks() == [])
        writer.remove(transactionObserver: removed)
        writer.add(transactionObserver: added)
        var brief: CommitCounter? = CommitCounter()
        weak let last = brief
        writer.add(transactionObserver: try #require(brief))
        brief = nil
        #expect(last == nil, "an observer of its own lifetime is kept")
        #expect(try locks() == [])
        try await read(writer, isReadable: isReadable)
        writer.resume()
        try await writer.write { db in try db.execute(sql: "INSERT INTO t VALUES ('after')") }
        #expect(removed.commits.entries == [] && added.commits.entries == ["commit"])
      }
    }
  }
}
