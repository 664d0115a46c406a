#if canImport(Combine)
  public import Combine
#endif
import HoldfastSQLite

// Names of GRDB that return Combine's publishers, with what to write instead. They return them where there
// is Combine: a call of `sink` would hide the message otherwise.

/// Not available: there are no publishers here.
@available(
  *, unavailable,
  message: "there are no publishers here: write AsyncValueObservation or ObservedValue"
)
public enum DatabasePublishers {
  #if canImport(Combine)
    /// Not available: there are no publishers here.
    public typealias Value<Output> = AnyPublisher<Output, any Error>
  #else
    /// Not available: there are no publishers here.
    public typealias Value<Output> = Never
  #endif
}

extension ValueObservation {
  /// Not available: there are no publishers here.
  @available(
    *, unavailable,
    message:
      "there are no publishers here: write values(in:), start(in:onError:onChange:) or ObservedValue"
  )
  public func publisher(
    in reader: any DatabaseReader,
    scheduling scheduler: some ValueObservationScheduler = .mainActor
  ) -> DatabasePublishers.Value<Reducer.Value> { Misuse.trap(Misuse.unavailable) }
}

extension SharedValueObservation {
  /// Not available: there are no publishers here.
  @available(
    *, unavailable,
    message: "there are no publishers here: write values() or start(onError:onChange:)"
  )
  public func publisher() -> DatabasePublishers.Value<Element> { Misuse.trap(Misuse.unavailable) }
}

extension DatabaseRegionObservation {
  /// Not available: there are no publishers here.
  @available(
    *, unavailable, message: "there are no publishers here: write start(in:onError:onChange:)"
  )
  public func publisher(
    in writer: any DatabaseWriter
  ) -> DatabasePublishers.Value<Database> { Misuse.trap(Misuse.unavailable) }
}

extension DatabaseReader {
  /// Not available: there are no publishers here.
  @available(
    *, unavailable, message: "there are no publishers here: write try await read { … } in a Task"
  )
  public func readPublisher<Output>(
    receiveOn scheduler: Any? = nil, value: @escaping (Database) throws -> Output
  ) -> DatabasePublishers.Value<Output> { Misuse.trap(Misuse.unavailable) }
}

extension DatabaseWriter {
  /// Not available: there are no publishers here.
  @available(
    *, unavailable, message: "there are no publishers here: write try await write { … } in a Task"
  )
  public func writePublisher<Output>(
    receiveOn scheduler: Any? = nil, updates: @escaping (Database) throws -> Output
  ) -> DatabasePublishers.Value<Output> { Misuse.trap(Misuse.unavailable) }

  /// Not available: there are no publishers here.
  @available(
    *, unavailable,
    message: "there are no publishers here: write try await write { … }, then read { … }, in a Task"
  )
  public func writePublisher<Updated, Output>(
    receiveOn scheduler: Any? = nil, updates: @escaping (Database) throws -> Updated,
    thenRead value: @escaping (Database, Updated) throws -> Output
  ) -> DatabasePublishers.Value<Output> { Misuse.trap(Misuse.unavailable) }
}

extension DatabaseMigrator {
  /// Not available: there are no publishers here.
  @available(
    *, unavailable,
    message: "there are no publishers here: write try await migrate(writer) in a Task"
  )
  public func migratePublisher(
    _ writer: any DatabaseWriter, receiveOn scheduler: Any? = nil
  ) -> DatabasePublishers.Value<Void> { Misuse.trap(Misuse.unavailable) }
}
