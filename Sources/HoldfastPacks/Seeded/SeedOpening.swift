import Foundation
import Holdfast
import HoldfastFiles
import Synchronization

/// The opening of a database of the app: created from the seed, or a newer seed merged into it.
///
/// Each step is all or nothing. The first content is copied to a name of its own, verified and made
/// durable; it gets its name only if nothing has that name, so a database of the user is never
/// replaced, whatever another process did meanwhile.
final class SeedOpening: OpeningSteps {
  private let target: FilePath
  private let seed: SeedFile
  private let carryOver: SeedCarryOver?
  private let merge: @Sendable (Database, SeedMerge) throws -> Void
  private let state = Mutex(SeededDatabase.Origin.kept)

  init(
    _ target: FilePath, from seed: SeedFile, carryingOver carryOver: SeedCarryOver?,
    merging merge: @escaping @Sendable (Database, SeedMerge) throws -> Void
  ) {
    self.target = target
    self.seed = seed
    self.carryOver = carryOver
    self.merge = merge
  }

  /// What the opening has done.
  var origin: SeededDatabase.Origin { state.withLock { $0 } }

  // MARK: - The first start

  func create(_ opening: OpeningContext) throws {
    guard try !Self.exists(target) else { return }
    if let log = try DatabaseFiles(main: target).firstLogWithContent() {
      throw PackError.logWithoutDatabase(target, log: log)
    }
    try opening.whileLocked { try SeedStaging.removeLeftovers(of: target) }
    let staging = SeedStaging(of: target)
    do {
      try staging.copy(seed)
      let origin = try carryOver(into: staging, opening)
      var isPublished = false
      try opening.whileLocked { isPublished = try staging.publish() }
      if isPublished {
        state.withLock { $0 = origin }
      } else {
        // A process that takes no opening lock was faster.
        try staging.discard()
      }
    } catch {
      // The first error is the one to report; the next first start removes what is left.
      do { try staging.discard() } catch _ {}
      throw error
    }
  }

  private static func exists(_ path: FilePath) throws(FileError) -> Bool {
    do throws(Errno) {
      _ = try SystemCalls.linkStatus(of: path.text)
      return true
    } catch .notFound {
      return false
    } catch {
      throw .couldNotRead(path, error)
    }
  }

  /// Carries the data of the previous edition over into the copy, and makes it durable.
  private func carryOver(
    into staging: SeedStaging, _ opening: OpeningContext
  ) throws -> SeededDatabase.Origin {
    guard let carryOver else { return .created }
    let previous = try FilePath(of: carryOver.url)
    guard try Self.exists(previous) else { return .created }
    let queue = try opening.connection(to: staging.path, isOwnFile: true)
    defer { queue.closeIgnoringErrors() }
    try queue.writeWithoutTransaction { db in
      try db.attach(
        readOnlyFileAt: previous.text, as: SeedCarryOver.schema, isNeverModified: false)
      try db.inTransaction(.immediate) {
        let schema = try SeedSchema(db)
        try carryOver.body(db)
        try schema.check(db, against: seed.schema, at: target)
        return .commit
      }
    }
    try queue.close()
    try staging.sync()
    return .carriedOver
  }

  // MARK: - Later starts

  func prepare(_ pool: DatabasePool, _ opening: OpeningContext) throws {
    let found = try pool.writeWithoutTransaction { db in try PackFile.Schema(db) }
    guard case .merge = try decide(found) else { return }
    let queue = try opening.connection(to: target, isOwnFile: false)
    defer { queue.closeIgnoringErrors() }
    var merged: SeedMerge?
    try queue.writeWithoutTransaction { db in
      try seed.attach(to: db)
      try db.inTransaction(.immediate) {
        // Read again: a connection that takes no opening lock may have committed.
        let before = try PackFile.Schema(db)
        guard case .merge(let versions) = try decide(before) else { return .rollback }
        try merge(db, versions)
        let after = try PackFile.Schema(db)
        // A closure that sets the version would hide what it has not merged.
        guard after == before else {
          throw PackError.otherApplication(target, expected: before, found: after)
        }
        try db.setHeaderNumber(.userVersion, to: versions.toVersion)
        try SeedSchema(db, of: SeedMerge.schema).check(db, against: seed.schema, at: target)
        merged = versions
        return .commit
      }
    }
    try queue.close()
    if let merged { state.withLock { $0 = .merged(merged) } }
  }

  /// - Throws: ``PackError`` when the database is refused.
  private func decide(_ found: PackFile.Schema) throws(PackError) -> SeedDecision {
    let decision = SeedDecision(found, seed: seed.schema)
    switch decision {
    case .keep, .merge: return decision
    case .refuseOtherApplication:
      throw .otherApplication(target, expected: seed.schema, found: found)
    case .refuseOlderSeed: throw .olderSeed(target, seed: seed.schema, found: found)
    }
  }
}
