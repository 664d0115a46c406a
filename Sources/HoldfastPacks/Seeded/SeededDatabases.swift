import Holdfast
import HoldfastFiles

/// The databases of an app that began as copies of a pack's files, while the pack is switched.
struct SeededDatabases {
  let store: PackStore
  let work: LockedWork

  /// Runs a closure while no process opens the databases of seeds, none of which is older than what
  /// was merged.
  ///
  /// A suspension ends the installing lock first, so that a step under it runs under both.
  ///
  /// - Throws: ``PackError`` with `.schemaNewer`, `.suspended`, `.unsuitable` when a key is missing
  ///   or wrong; `SharingError` with `.busy`; `DatabaseError` when a database cannot be read;
  ///   whatever `body` throws.
  func guarding<Value>(_ seeds: [PackFile], _ body: () throws -> Value) throws -> Value {
    let files = try existing(seeds)
    guard !files.isEmpty else { return try body() }
    let hold = try OpeningHold(of: files.map(\.path), configuration: store.configuration.seeded)
    try store.suspension.add(hold, of: work.folder.path)
    defer { hold.release() }
    do {
      try hold.acquire(within: store.configuration.waitLimit)
      for file in files { try file.refuseOlderSeed(hold) }
    } catch {
      try work.throwIfStopped()
      throw error
    }
    return try body()
  }

  /// Returns the paths of a generation's seeds that are older than what was merged.
  func olderSeeds(of manifest: PackManifest) -> [String] {
    manifest.files.filter { file in
      do {
        for file in try existing([file]) {
          let hold = try OpeningHold(
            of: [file.path], configuration: store.configuration.seeded)
          try store.suspension.add(hold, of: work.folder.path)
          try file.refuseOlderSeed(hold)
        }
        return false
      } catch let error as PackError where error.code == .schemaNewer {
        Log.report(
          .error, .packs, "'\(file.path)' is opened without its seed: \(error.code)")
        return true
      } catch {
        // The installation stands, and the opening says what is wrong with the database.
        Log.report(
          .error, .packs, "'\(file.path)' was not compared with its seed: \(Log.kind(of: error))")
        return false
      }
    }.map(\.path.description)
  }

  /// A database that exists, and the numbers of its seed.
  private struct File {
    let path: FilePath
    let seed: PackFile.Schema

    func refuseOlderSeed(_ hold: OpeningHold) throws {
      let found: PackFile.Schema
      do {
        found = try hold.read(path) { db in try PackFile.Schema(db) }
      } catch let error as DatabaseError where error.encryptionFault != nil {
        throw PackError.seededNotDecrypted(path, error)
      }
      if case .refuseOlderSeed = SeedDecision(found, seed: seed) {
        throw PackError.olderSeed(path, seed: seed, found: found)
      }
    }
  }

  private func existing(_ seeds: [PackFile]) throws -> [File] {
    try seeds.compactMap { file in
      let path = work.folder.seeded.appending(file.path.names)
      guard file.storage == .seeded, let seed = file.schema, try path.byteCount() != nil else {
        return nil
      }
      return File(path: path, seed: seed)
    }
  }
}
