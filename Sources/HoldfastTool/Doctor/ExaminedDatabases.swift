import HoldfastFiles

/// A database in a container, as its first bytes show.
struct FoundDatabase: Sendable {
  var path: FilePath
  /// Its path relative to the container.
  var name: String
  var start: [UInt8]
  var byteCount: Int64
}

/// The databases of a container, each examined by one of several threads, and what was found in them.
struct ExaminedDatabases {
  private struct Examined: Sendable {
    var database: FoundDatabase
    var state: ContainerExamination
    var failure: (any Error)?
  }

  /// What was found, in the order of the databases.
  private(set) var findings = FindingCollector()
  /// Those whose copies were examined.
  private(set) var copies: [ContainerExamination.CopiedDatabase] = []

  /// Those for which there was no room beside the others.
  private var crowded: [FoundDatabase] = []
  private let empty: ContainerExamination
  private let pipeline: OrderedPipeline<FoundDatabase, Examined>

  /// Each has a connection with its cache and a copy of a database, so that few are enough.
  private static let mostThreads = 3

  /// Prepares to examine databases as a part of an examination of which nothing was examined yet.
  init(_ empty: ContainerExamination) {
    self.empty = empty
    let fault = SystemCalls.fault
    // What waits is a few kilobytes for each database.
    pipeline = OrderedPipeline(
      threads: min(OrderedPipeline<FoundDatabase, Examined>.usualThreadCount, Self.mostThreads),
      mostCost: .max
    ) {
      { database in
        // A task-local value does not reach a thread.
        SystemCalls.$fault.withValue(fault) { Self.examine(database, empty) }
      }
    }
  }

  private static func examine(_ database: FoundDatabase, _ empty: ContainerExamination) -> Examined
  {
    var examined = Examined(database: database, state: empty)
    do {
      try examined.state.examineDatabase(database)
    } catch {
      examined.failure = error
    }
    return examined
  }

  /// Adds a database.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - visit: Receives the length of each one that was examined meanwhile, in bytes.
  /// - Throws: `CancellationError`; whatever `visit` throws.
  mutating func add(_ database: FoundDatabase, _ visit: (Int64) throws -> Void) throws {
    try pipeline.add(database, cost: 1) { examined in
      try visit(examined.database.byteCount)
      try take(examined)
    }
  }

  /// Ends the examination of all databases that were added.
  ///
  /// - Parameter visit: Receives the length of each one that was examined meanwhile, in bytes.
  /// - Throws: `CancellationError`; whatever `visit` throws.
  mutating func finish(_ visit: (Int64) throws -> Void) throws {
    try pipeline.finish { examined in
      try visit(examined.database.byteCount)
      try take(examined)
    }
    for database in crowded { try add(Self.examine(database, empty)) }
    crowded = []
  }

  private mutating func take(_ examined: Examined) throws {
    guard examined.failure == nil, examined.state.lackedRoom else { return try add(examined) }
    crowded.append(examined.database)
  }

  private mutating func add(_ examined: Examined) throws {
    if let failure = examined.failure { throw failure }
    findings.add(examined.state.findings)
    copies += examined.state.copiedDatabases
  }
}
