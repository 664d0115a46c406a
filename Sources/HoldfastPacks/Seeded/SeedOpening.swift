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
  let target: FilePath
  private let choose: @Sendable (SeedFile?) throws -> SeedFile?
  private let carryOver: SeedCarryOver?
  private let merge: @Sendable (Database, SeedMerge) throws -> Void

  private struct State {
    var seed: SeedFile?
    var origin = SeededDatabase.Origin.kept

    /// Records that nothing was merged, which an earlier attempt may have found otherwise.
    mutating func keep() {
      if origin == .keptWithoutSeed { origin = .kept }
    }
  }

  private let state: Mutex<State>

  /// - Parameters:
  ///   - target: The path of the database.
  ///   - seed: The seed before the opening; `nil` when there is none.
  ///   - choose: Returns the present seed, from the one before; it is called under the lock, for
  ///     which the opening may have waited while another process merged a newer one.
  ///   - carryOver: The content that is taken over from a previous edition at the first start.
  ///   - merge: Brings the content of a newer seed into the database.
  init(
    _ target: FilePath, from seed: SeedFile?,
    choosing choose: @escaping @Sendable (SeedFile?) throws -> SeedFile?,
    carryingOver carryOver: SeedCarryOver?,
    merging merge: @escaping @Sendable (Database, SeedMerge) throws -> Void
  ) {
    self.target = target
    state = Mutex(State(seed: seed))
    self.choose = choose
    self.carryOver = carryOver
    self.merge = merge
  }

  /// The way in which the opening has obtained the database.
  var origin: SeededDatabase.Origin { state.withLock { $0.origin } }

  /// Releases the seed, and with it the generation, after the opening.
  func releaseSeed() { replaceSeed(by: nil) }

  private func replaceSeed(by seed: SeedFile?) {
    // It is released after the lock, because that may remove the lease.
    let older = state.withLock { state in
      defer { state.seed = seed }
      return state.seed
    }
    withExtendedLifetime(older) {}
  }

  // MARK: - The first start

  func create(_ opening: OpeningContext) throws {
    let seed = try choose(state.withLock { $0.seed })
    replaceSeed(by: seed)
    guard let seed, try !target.exists() else {
      // A process may also have ended after another had given the database its name. Where they cannot be
      // removed the database is opened nevertheless, and the next opening tries again.
      do { try opening.whileLocked { try SeedStaging.removeLeftovers(of: target) } } catch _ {}
      return
    }
    if let log = try DatabaseFiles(main: target).firstLogWithContent() {
      throw PackError.logWithoutDatabase(target, log: log)
    }
    try opening.whileLocked { try SeedStaging.removeLeftovers(of: target) }
    let staging = SeedStaging(of: target)
    do {
      if try !encrypt(seed, into: staging, opening) { try staging.copy(seed) }
      let origin = try carryOver(into: staging, seed, opening)
      var isPublished = false
      try opening.whileLocked { isPublished = try staging.publish() }
      if isPublished {
        state.withLock { $0.origin = origin }
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

  /// Copies the seed into an encrypted database, durably, if the configuration gives a key.
  ///
  /// - Returns: False if it gives none; then nothing is copied.
  private func encrypt(
    _ seed: SeedFile, into staging: SeedStaging, _ opening: OpeningContext
  ) throws -> Bool {
    #if SQLCipher
      let queue = try opening.connection(to: staging.path, isOwnFile: true)
      defer { queue.closeIgnoringErrors() }
      let hasKey = try queue.writeWithoutTransaction { db in
        guard try db.hasKey else { return false }
        try seed.verify()
        try seed.attach(to: db)
        try db.copyContent(of: SeedMerge.schema, to: "main")
        return true
      }
      try queue.close()
      try hasKey ? staging.sync() : staging.discard()
      return hasKey
    #else
      return false
    #endif
  }

  /// Carries the data of the previous edition over into the copy, and makes it durable.
  private func carryOver(
    into staging: SeedStaging, _ seed: SeedFile, _ opening: OpeningContext
  ) throws -> SeededDatabase.Origin {
    guard let carryOver else { return .created }
    let previous = try FilePath(of: carryOver.url)
    guard try previous.exists() else { return .created }
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
    guard let seed = state.withLock({ $0.seed }) else { return openWithoutSeed() }
    let found = try pool.writeWithoutTransaction { db in try PackFile.Schema(db) }
    switch try decide(found, seed) {
    case .keep: return state.withLock { $0.keep() }
    case .refuseOlderSeed: return openWithoutSeed()
    case .merge, .refuseOtherApplication: break
    }
    let queue = try opening.connection(to: target, isOwnFile: false)
    defer { queue.closeIgnoringErrors() }
    var merged: SeedMerge?
    var isOlder = false
    try queue.writeWithoutTransaction { db in
      try seed.attach(to: db)
      try db.inTransaction(.immediate) {
        // Read again: a connection that takes no opening lock may have committed.
        let before = try PackFile.Schema(db)
        let decision = try decide(before, seed)
        guard case .merge(let versions) = decision else {
          isOlder = decision == .refuseOlderSeed
          return .rollback
        }
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
    if isOlder { return openWithoutSeed() }
    state.withLock { state in
      if let merged { state.origin = .merged(merged) } else { state.keep() }
    }
  }

  private func openWithoutSeed() {
    Log.report(.error, .packs, "'\(target.name)' was opened without its seed.")
    state.withLock { $0.origin = .keptWithoutSeed }
  }

  /// - Throws: ``PackError`` when the database is refused.
  private func decide(
    _ found: PackFile.Schema, _ seed: SeedFile
  ) throws(PackError) -> SeedDecision {
    let decision = SeedDecision(found, seed: seed.schema)
    switch decision {
    case .keep, .merge, .refuseOlderSeed: return decision
    case .refuseOtherApplication:
      throw .otherApplication(target, expected: seed.schema, found: found)
    }
  }
}
