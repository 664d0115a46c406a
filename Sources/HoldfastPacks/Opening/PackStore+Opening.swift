public import Holdfast
import HoldfastFiles

extension PackStore {
  /// Opens a database of the current generation, read-only.
  ///
  /// The pool keeps its generation, also while a newer one becomes current, while it is closed by a
  /// suspension, and when it is opened again after the resume. It holds no lock. For a reader that
  /// uses each newer generation see ``source(_:of:orInPlace:)``.
  ///
  /// An encrypted database is a `plain` file of its pack, and is opened with the package's trait
  /// `SQLCipher` by the key of the configuration.
  ///
  /// - Parameters:
  ///   - file: The path of the database below the pack's folder.
  ///   - pack: The name of the pack.
  ///   - configuration: The configuration of the connections, which are read-only in any case.
  /// - Returns: The pool; the generation stays until the pool is deinitialized.
  /// - Throws: ``PackError`` with `.notFound` when the pack is not installed or has no such file,
  ///   `.unsuitable` when the file is no database or is a seed, `.damaged`; `SharingError` and
  ///   `DatabaseError` when the file cannot be opened; `FileError`.
  public func open(
    _ file: String, of pack: PackName, configuration: Holdfast.Configuration = .init()
  ) throws -> DatabasePool {
    guard let lease = try hold(pack) else { throw PackError.notInstalled(pack) }
    return try lease.database(file).open(configuration: configuration)
  }

  /// Returns a source of a database or an archive of tiles of a pack, which is read-only and switched
  /// with the pack.
  ///
  /// ```swift
  /// let timetable = try await Timetable(following: store.source("harbour.db", of: pack))
  /// ```
  ///
  /// - Parameters:
  ///   - file: The path of the database or the archive below the pack's folder.
  ///   - pack: The name of the pack.
  ///   - bundle: The pack in the app's bundle, which is used in place as long as none is installed;
  ///     see ``PackSource/database(_:)``. If `nil`, the pack must be installed.
  /// - Returns: A source.
  public func source(
    _ file: String, of pack: PackName, orInPlace bundle: PackSource? = nil
  ) -> PackDatabaseSource {
    PackDatabaseSource(
      self, pack, file, bundle.map { InPlaceDatabaseSource($0, file) })
  }

  /// The generations of a pack that become current, in this process or in another one.
  ///
  /// The first element is the generation that is current when the iteration begins, if there is
  /// one. Generations that become current before the next element is requested are merged into the
  /// last one. There can be any number of iterations; what one needs is released when it ends.
  ///
  /// ```swift
  /// for await generation in store.generations(of: map) {
  ///   show(generation.url(ofFileAt: "map.mbtiles"))
  /// }
  /// ```
  ///
  /// - Parameter pack: The name of the pack.
  /// - Returns: A sequence, which ends when its task is cancelled.
  public func generations(of pack: PackName) -> PackGenerations {
    PackGenerations(self, pack)
  }
}

extension GenerationLease {
  /// Returns a database of the generation, or an archive of tiles if that is asked for; the returned
  /// value keeps it.
  func database(_ file: String, orArchive: Bool = false) throws -> SourcedDatabase {
    let path = try Self.file(
      file, of: generation.manifest, in: generation.folder, orArchive: orArchive)
    return SourcedDatabase(
      url: path.url, generation: generation.name, isNeverModified: true, keeping: self)
  }

  /// Returns the path of a database, or of an archive of tiles, that is read in its pack.
  ///
  /// - Throws: ``PackError`` with `.notFound`, `.unsuitable`.
  static func file(
    _ path: String, of manifest: PackManifest, in folder: FilePath, orArchive: Bool
  ) throws(PackError) -> FilePath {
    guard let file = manifest.file(at: path) else { throw .noFile(path, in: folder) }
    // An encrypted database has no numbers that its manifest could state.
    let isReadable = file.kind.isDatabase || orArchive && file.kind == .pmtiles
    guard isReadable || file.kind == .plain && Database.canDecrypt else {
      throw .notADatabase(file)
    }
    guard file.storage == .sealed else { throw .isSeeded(file) }
    return folder.appending(file.path.names)
  }
}
