import Dispatch
package import HoldfastSQLite
import Synchronization

/// A reader that uses, for each access, the current database of a source.
///
/// - An access that is in progress keeps its database: the file stays, and its connections stay
///   open until the access ends. The next access uses the database that is current then.
/// - A database that is no longer current is closed when the last access to it has ended, and only
///   then its file is given up. That happens soon after a switch, also when there are no accesses.
/// - A switch to a database that cannot be opened, or that `content` refuses, has no effect but to
///   be reported: ``problem``, and a line in the log. The first access after a second tries it
///   again; another database is tried at once.
/// - An observation of this reader delivers one value, as for a snapshot.
package final class FollowedDatabase<Content: Sendable>: DatabaseReader {
  /// One generation, open: its pool keeps its file.
  package final class Opened: Sendable {
    package let generation: String
    package let reader: DatabasePool
    package let content: Content

    init(_ source: SourcedDatabase, _ reader: DatabasePool, _ content: Content) {
      generation = source.generation
      self.reader = reader
      self.content = content
    }

    var isUsedByCurrentThread: Bool {
      reader.pool.slots.contains { $0.token.isHeldByCurrentThread }
    }
  }

  private struct State {
    var generation: FollowedGeneration<Opened>
    var isClosed = false
  }

  private struct Earlier {
    weak var opened: Opened?
  }

  package let configuration: Configuration

  private let source: any DatabaseSource
  private let makeContent: @Sendable (Database) throws -> Content
  private let state: Mutex<State>
  private let earlier = Mutex<[Earlier]>([])
  private let following = Mutex<Task<Void, Never>?>(nil)

  // Opening a database blocks, which must not happen on a thread of Swift's tasks.
  private let queue: DispatchQueue

  /// Opens the current database of a source.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - configuration: The configuration of the connections, which are read-only in any case.
  ///   - content: Reads what is kept for each generation; throws when the database is not of the
  ///     expected kind.
  /// - Throws: Whatever the source, the opening or `content` throws.
  package init(
    _ source: any DatabaseSource, configuration: Configuration = Configuration(),
    content: @escaping @Sendable (Database) throws -> Content
  ) throws {
    self.source = source
    var own = configuration
    own.readonly = true
    self.configuration = own
    makeContent = content
    queue = DispatchQueue(label: "holdfast.following", qos: configuration.qos)
    // Before the first look, so that no switch is missed.
    let switches = source.switches()
    let generation = try FollowedGeneration<Opened>(
      of: source, path: { $0.reader.path }, open: { try Self.open($0, own, content) })
    state = Mutex(State(generation: generation))
    let task = Task { [weak self] in
      for await _ in switches {
        guard let self else { return }
        await update()
      }
    }
    following.withLock { $0 = task }
  }

  deinit {
    following.withLock { $0 }?.cancel()
  }

  private static func open(
    _ current: SourcedDatabase, _ configuration: Configuration,
    _ content: (Database) throws -> Content
  ) throws -> Opened {
    let pool = try current.open(configuration: configuration)
    return Opened(current, pool, try pool.read(content))
  }

  // MARK: - The current generation

  /// The value that `content` read from the generation that is open.
  package var content: Content { state.withLock { $0.generation.opened.content } }

  /// The reason why the source's current database is not the one that is open; `nil` if it is.
  package var problem: (any Error)? { state.withLock { $0.generation.problem } }

  /// The file that is open.
  package var path: String? { state.withLock { $0.generation.opened.reader.path } }

  /// Returns the current generation, opened; blocks the thread while it is opened.
  ///
  /// Inside an access this is the generation of that access.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_MISUSE` after ``close()``.
  package func current() throws -> Opened {
    if let opened = used { return opened }
    var replaced: Opened?
    // After the lock, because it may close connections.
    defer { withExtendedLifetime(replaced) {} }
    return try state.withLock { state in
      if state.isClosed { throw DatabaseError.closed(path: state.generation.opened.reader.path) }
      replaced = state.generation.follow(source) { current in
        try Self.open(current, configuration, makeContent)
      }
      if let replaced {
        earlier.withLock { earlier in
          earlier.removeAll { $0.opened == nil }
          earlier.append(Earlier(opened: replaced))
        }
      }
      return state.generation.opened
    }
  }

  /// Returns the current generation without blocking a thread of Swift's tasks.
  package func current() async throws -> Opened {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { [self] in
        continuation.resume(with: Result { try currentOnQueue() })
      }
    }
  }

  private func currentOnQueue() throws -> Opened { try current() }

  /// Runs an access with the current generation, which counts as used until the access ends.
  ///
  /// Its reader alone would keep the file, but ``interrupt()``, ``close()`` and accesses inside of
  /// this one would not find it.
  package func withCurrent<Value>(_ access: (Opened) throws -> Value) throws -> Value {
    let current = try current()
    return try withExtendedLifetime(current) { try access(current) }
  }

  /// Follows a switch that the source has announced.
  private func update() async {
    // What went wrong is in `problem`.
    do { _ = try await current() as Opened } catch _ {}
  }

  /// The generations that have accesses in progress, and the current one.
  private var alive: [Opened] {
    let last = state.withLock { $0.generation.opened }
    return earlier.withLock { $0.compactMap(\.opened) } + [last]
  }

  /// The generation of the access in which this thread is.
  private var used: Opened? { alive.first { $0.isUsedByCurrentThread } }

  // MARK: - Accesses

  package func read<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try withCurrent { current in try current.reader.read(value) }
  }

  package func read<Value>(
    _ value: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value {
    let current = try await current()
    // As `withCurrent` does, whose result is not sent.
    defer { withExtendedLifetime(current) {} }
    return try await current.reader.read(value)
  }

  package func asyncRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    queue.async { [self] in
      do {
        let current = try current()
        current.reader.asyncRead { result in withExtendedLifetime(current) { value(result) } }
      } catch {
        value(.failure(error))
      }
    }
  }

  package func unsafeRead<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try withCurrent { current in try current.reader.unsafeRead(value) }
  }

  package func unsafeRead<Value>(
    _ value: sending @escaping (Database) throws -> sending Value
  ) async throws -> sending Value {
    try await unsafeRead { db, _ in try value(db) }
  }

  /// Runs an access with the content of the generation that is read, which may differ from
  /// ``content`` before it.
  package func unsafeRead<Value>(
    _ value: sending @escaping (Database, Content) throws -> sending Value
  ) async throws -> sending Value {
    let current = try await current()
    // As above.
    defer { withExtendedLifetime(current) {} }
    let content = current.content
    return try await current.reader.unsafeRead { db in try value(db, content) }
  }

  package func unsafeReentrantRead<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try withCurrent { current in try current.reader.unsafeReentrantRead(value) }
  }

  // MARK: - Ending

  package func interrupt() {
    for opened in alive { opened.reader.interrupt() }
  }

  package func close() throws {
    following.withLock { $0 }?.cancel()
    state.withLock { $0.isClosed = true }
    var problem: (any Error)?
    for opened in alive {
      do { try opened.reader.close() } catch { problem = problem ?? error }
    }
    if let problem { throw problem }
  }
}
