/// A recorder of the region that statements read.
final class RegionRecorder {
  private var effects: [StatementEffects] = []
  private var region = DatabaseRegion()

  func note(_ statement: Statement) {
    guard statement.columnCount > 0 else { return }
    let observed = statement.observe()
    observed.update(statement)
    let effects = observed.effects
    // There are few, and it is mostly the last one: a statement is noted as it begins and ends.
    guard self.effects.lastIndex(where: { $0 === effects }) == nil else { return }
    self.effects.append(effects)
    region.formUnion(effects.readRegion)
  }

  func note(_ other: DatabaseRegion) {
    region.formUnion(other)
  }

  static func record<Value>(
    on database: Database, _ body: () throws -> Value
  ) rethrows -> (value: Value, region: DatabaseRegion) {
    let broker = database.makeBroker()
    let outer = broker.recorder
    let recorder = RegionRecorder()
    broker.recorder = recorder
    defer {
      broker.recorder = outer
      outer?.note(recorder.region)
    }
    return (try body(), recorder.region)
  }
}

extension Database {
  /// Runs the closure and returns its value and the region that its statements read.
  package func recordingRegion<Value>(
    _ body: () throws -> Value
  ) rethrows -> (value: Value, region: DatabaseRegion) {
    checkAccess()
    return try RegionRecorder.record(on: self, body)
  }

  /// Adds a region that no statement reads to the tracked region of an observation.
  ///
  /// It has an effect only in an access that an observation tracks.
  ///
  /// - Parameter region: The region that the observed value depends on; evaluated only if an
  ///   observation tracks the access.
  /// - Throws: ``DatabaseError`` when the region cannot be determined.
  public func registerAccess(to region: @autoclosure () -> some DatabaseRegionConvertible) throws {
    checkAccess()
    guard let recorder = broker?.recorder else { return }
    recorder.note(try region().databaseRegion(self))
  }
}

extension Statement {
  /// The region that the statement reads: tables and columns, in all rows.
  ///
  /// Views are resolved to the tables that they read.
  public var databaseRegion: DatabaseRegion {
    checkAccess()
    let observed = observe()
    observed.update(self)
    return observed.effects.readRegion
  }

  /// Returns the statement's effects and the state of its run, for observing its changes.
  func observe() -> ObservedStatement {
    if let observed { return observed }
    let observed = ObservedStatement(self)
    self.observed = observed
    return observed
  }
}
