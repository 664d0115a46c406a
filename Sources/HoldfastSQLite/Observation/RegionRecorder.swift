/// Collects the region that the statements of some work read.
final class RegionRecorder {
  private var effects: [StatementEffects] = []
  private var region = DatabaseRegion()

  func note(_ statement: Statement) {
    guard statement.columnCount > 0 else { return }
    let followed = statement.follow()
    followed.update(statement)
    let effects = followed.effects
    // Few and mostly the last one, for it is noted when it begins and when it ends.
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
  /// Runs the closure and tells the region that its statements read.
  package func recordingRegion<Value>(
    _ body: () throws -> Value
  ) rethrows -> (value: Value, region: DatabaseRegion) {
    checkAccess()
    return try RegionRecorder.record(on: self, body)
  }

  /// Has an observation that tracks this access follow a region that no statement of it reads.
  ///
  /// - Parameter region: What the observed value depends on; asked for only if somebody tracks.
  /// - Throws: ``DatabaseError`` when the region cannot be found out.
  public func registerAccess(to region: @autoclosure () -> some DatabaseRegionConvertible) throws {
    checkAccess()
    guard let recorder = broker?.recorder else { return }
    recorder.note(try region().databaseRegion(self))
  }
}

extension Statement {
  /// The region that the statement reads: tables and columns, in whatever row.
  ///
  /// Views are looked through.
  public var databaseRegion: DatabaseRegion {
    checkAccess()
    let followed = follow()
    followed.update(self)
    return followed.effects.readRegion
  }

  /// What is kept beside the statement for those who follow changes.
  func follow() -> ObservedStatement {
    if let followed { return followed }
    let followed = ObservedStatement(self)
    self.followed = followed
    return followed
  }
}
