import Dispatch
public import Foundation
public import Holdfast
import HoldfastFiles

extension PackStore {
  /// Returns the location of a database of the app that begins as a copy of a pack's file.
  ///
  /// It lies outside of the generations, and is neither cleaned up nor rolled back. It is included
  /// in backups.
  ///
  /// - Parameters:
  ///   - file: The path of the seed below the pack's folder.
  ///   - pack: The name of the pack.
  /// - Returns: A file URL, also before there is a file.
  /// - Throws: ``PackError`` with `.invalidName`; `FileError` when the container has no such folder.
  public func url(ofSeeded file: String, of pack: PackName) throws -> URL {
    try seeded(file, of: pack).url
  }

  private func seeded(_ file: String, of pack: PackName) throws -> FilePath {
    try folder(of: pack).seeded.appending(PackPath(file).names)
  }

  /// Opens a database of the app that begins as a copy of a pack's file.
  ///
  /// The first start copies the pack's file, the seed; later starts keep the app's database. When
  /// the current generation has a seed with a higher `user_version`, `merge` brings what is new into
  /// the database: once, in one transaction, while no other process opens the database. The
  /// database then has the `user_version` of the seed, and at least its tables and columns. After a
  /// crash at any moment, the merge has happened completely or not at all, and the next start
  /// repeats it. Other connections see it as they see any commit.
  ///
  /// ```swift
  /// let seeded = try await store.openSeeded("guide.sqlite", of: guide) { db, merge in
  ///   try db.execute(sql: "INSERT OR IGNORE INTO art SELECT * FROM seed.art")
  /// }
  /// let pool = seeded.pool
  /// ```
  ///
  /// Seeds are ordered by `user_version` alone: raise it for each seed whose content existing users
  /// shall get. A database into which a newer seed was merged before opens without the older one.
  /// The app's own tables can be made by `migrator`, which is applied after the merge.
  ///
  /// If the configuration gives a key, with the package's trait `SQLCipher`, the database is encrypted
  /// with it from the beginning, and the seed is not. With the trait, the preparations of the first start
  /// run for an empty database too, which the content of the seed then fills.
  ///
  /// - Parameters:
  ///   - file: The path of the seed below the pack's folder.
  ///   - pack: The name of the pack.
  ///   - configuration: The configuration of the connections; if `nil`, the store's,
  ///     ``PackStore/Configuration/seeded``. The database can be suspended, and keeps its
  ///     write-ahead log, as with `DatabasePool.shared(at:)`.
  ///   - migrator: The app's migrations; none by default.
  ///   - carryOver: The content that is taken over from a previous edition at the first start.
  ///   - limit: The longest time to wait while other processes open the database.
  ///   - merge: Brings the content of a newer seed, attached as `seed`, into the database.
  /// - Returns: The pool, and the way in which the database came to its state.
  /// - Throws: ``PackError`` with `.notFound` when the pack is not installed and there is no
  ///   database yet, or when it has no such file; `.unsuitable` when the file is no seed, or when
  ///   the database lacks a table or a column after the merge; `.damaged`. The errors of
  ///   `DatabasePool.shared(at:)`; whatever `merge` and `carryOver` throw.
  public func openSeeded(
    _ file: String, of pack: PackName, configuration: Holdfast.Configuration? = nil,
    migrator: DatabaseMigrator = DatabaseMigrator(), carryingOver carryOver: SeedCarryOver? = nil,
    within limit: Duration = .seconds(10),
    merging merge: @escaping @Sendable (Database, SeedMerge) throws -> Void
  ) async throws -> SeededDatabase {
    let opening = try await awaited { _ in
      try self.opening(of: file, of: pack, carryingOver: carryOver, merging: merge)
    }
    // The thread of the opening may keep it a moment longer.
    defer { opening.releaseSeed() }
    let pool = try await DatabasePool.shared(
      at: opening.target.url, configuration: configuration ?? self.configuration.seeded,
      migrator: migrator, within: limit,
      steps: opening)
    return SeededDatabase(pool: pool, origin: opening.origin)
  }

  /// Opens a database of the app on the caller's thread, which blocks meanwhile, as the awaited
  /// form does.
  @available(
    *, noasync,
    message:
      "Write `try await openSeeded(…)`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func openSeeded(
    _ file: String, of pack: PackName, configuration: Holdfast.Configuration? = nil,
    migrator: DatabaseMigrator = DatabaseMigrator(), carryingOver carryOver: SeedCarryOver? = nil,
    within limit: Duration = .seconds(10),
    merging merge: @escaping @Sendable (Database, SeedMerge) throws -> Void
  ) throws -> SeededDatabase {
    let opening = try opening(of: file, of: pack, carryingOver: carryOver, merging: merge)
    defer { opening.releaseSeed() }
    let pool = try DatabasePool.shared(
      at: opening.target.url, configuration: configuration ?? self.configuration.seeded,
      migrator: migrator, within: limit,
      steps: opening)
    return SeededDatabase(pool: pool, origin: opening.origin)
  }

  private func opening(
    of file: String, of pack: PackName, carryingOver carryOver: SeedCarryOver?,
    merging merge: @escaping @Sendable (Database, SeedMerge) throws -> Void
  ) throws -> SeedOpening {
    let (target, seed) = try seed(file, of: pack)
    return SeedOpening(
      target, from: seed, choosing: { try self.seed(file, of: pack, after: $0).1 },
      carryingOver: carryOver, merging: merge)
  }

  /// Returns the place of the database, and the seed of the current generation.
  ///
  /// The user's data must be accessible also when the pack is not: then there is no seed.
  ///
  /// - Parameters:
  ///   - file: The path of the seed below the pack's folder.
  ///   - pack: The name of the pack.
  ///   - present: The seed that was current before, which is returned if it still is.
  /// - Returns: The path of the database, and the seed; `nil` when only the database can be used.
  /// - Throws: ``PackError`` when there is neither a seed nor a database.
  private func seed(
    _ file: String, of pack: PackName, after present: SeedFile? = nil
  ) throws -> (FilePath, SeedFile?) {
    let target = try seeded(file, of: pack)
    do {
      if let present,
        try currentFile(of: folder(of: pack))?.generation == present.lease.generation.name
      {
        return (target, present)
      }
      guard let lease = try hold(pack) else { throw PackError.notInstalled(pack) }
      let generation = lease.generation
      guard let description = generation.manifest.file(at: file) else {
        throw PackError.noFile(file, in: generation.folder)
      }
      let seed = try SeedFile(
        description, at: generation.folder.appending(description.path.names), keeping: lease)
      try createFolder(of: target, pack)
      return (target, seed)
    } catch let error as PackError where [.notFound, .damaged, .newerFormat].contains(error.code) {
      guard try target.byteCount() != nil else { throw error }
      Log.report(
        .error, .packs,
        "'\(target.name)' was opened without its seed: \(error.code)")
      return (target, nil)
    }
  }

  private func createFolder(of target: FilePath, _ pack: PackName) throws {
    let names = target.directory.names(below: try folder(of: pack).path) ?? []
    let path = try path(of: pack)
    try createFolder(
      at: RelocatablePath(path.root, components: path.components + names), before: target)
  }
}
