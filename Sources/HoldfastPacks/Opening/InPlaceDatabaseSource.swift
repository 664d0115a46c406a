import Foundation
public import Holdfast
import HoldfastFiles
import Synchronization

/// A database of a pack that is used where it is, without a copy; see ``PackSource/database(_:)``.
///
/// Each connection that is opened is compared with the file that was verified, so that no pool ever
/// reads two packs.
public final class InPlaceDatabaseSource: DatabaseSource {
  /// A verified database, and the stamps by which it is recognized.
  private struct Verified {
    var manifestStamp: FileStamp
    var fileStamp: FileStamp
    var database: SourcedDatabase
  }

  private let source: PackSource
  private let file: String

  // Locked while the file is verified, so that it is read once.
  private let verified = Mutex<Verified?>(nil)

  init(_ source: PackSource, _ file: String) {
    self.source = source
    self.file = file
  }

  /// Returns the database that is at the path now, on the caller's thread.
  ///
  /// The whole file is read and compared with its digest when it is used for the first time in this
  /// process, and again after it was replaced, which takes seconds for one of a gigabyte; other
  /// threads that need it wait meanwhile. Otherwise two files are examined.
  ///
  /// - Throws: ``PackError`` with `.notFound` when there is no pack, or no such file in it,
  ///   `.unsuitable` when the file is no database or is a seed, `.invalidManifest`, `.damaged`,
  ///   `.replaced` when it was replaced meanwhile; `FileError`.
  @available(
    *, noasync,
    message:
      "Write `try await currentDatabase()`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func currentDatabase() throws -> SourcedDatabase {
    let folder = try FilePath(of: source.url)
    let manifestPath = folder.appending([PackManifest.fileName])
    return try verified.withLock { verified in
      let manifestStamp = FileStamp(manifestPath)
      if let verified, verified.manifestStamp == manifestStamp,
        try FileStamp(FilePath(of: verified.database.url)) == verified.fileStamp
      {
        return verified.database
      }
      let manifest = try PackManifest(of: folder)
      let path = try GenerationLease.file(file, of: manifest, in: folder, orArchive: true)
      guard let manifestStamp, let fileStamp = FileStamp(path) else {
        throw PackError.noFile(file, in: folder)
      }
      try Self.verify(path, fileStamp, manifest.file(at: file))
      // The stamps were taken before, so what was read is what they describe, or they differ now.
      guard FileStamp(manifestPath) == manifestStamp, FileStamp(path) == fileStamp else {
        throw PackError.bundleReplaced(path)
      }
      let database = SourcedDatabase(
        url: path.url, generation: "\(manifest.generationName) in place \(fileStamp.text)",
        isNeverModified: true
      ) {
        // The connection has the file open: what the path leads to now was there before.
        guard FileStamp(path) == fileStamp else { throw PackError.bundleReplaced(path) }
      }
      verified = Verified(
        manifestStamp: manifestStamp, fileStamp: fileStamp, database: database)
      return database
    }
  }

  private static func verify(_ path: FilePath, _ stamp: FileStamp, _ file: PackFile?) throws {
    guard let file else { return }
    guard stamp.byteCount == file.content.byteCount else {
      throw PackError.damagedInPlace(
        path,
        PackError.lengthReason(expected: file.content.byteCount, found: stamp.byteCount))
    }
    if let log = try DatabaseFiles(main: path).firstLogWithContent() {
      throw PackError.logNextToSource(path, log: log)
    }
    // Without ending a lock that this process has on the file.
    guard try ImmutableFile(path).digest() == file.content else {
      throw PackError.damagedInPlace(path, PackError.digestReason())
    }
  }

  /// Returns a sequence with an element each time the pack was replaced.
  public func switches() -> AsyncStream<Void> {
    do throws(FileError) {
      return ReplacementWatch.switches(
        of: try FilePath(of: source.url).appending([PackManifest.fileName]))
    } catch _ {
      // `currentDatabase()` says why there is no pack.
      return AsyncStream { $0.finish() }
    }
  }
}

extension PackSource {
  /// Returns a database of the pack, which is used where it is, without a copy on disk.
  ///
  /// Open it with `SourcedDatabase.open(configuration:)` of its
  /// `try await currentDatabase()`, or follow it. An update of the app replaces the
  /// bundle, also while the process lives. Then connections that are open are not used further
  /// where the system invalidates them, and a new connection of the same pool is refused with
  /// `PackError` and the code `.replaced`; a reader that follows the source opens the new file
  /// instead.
  ///
  /// - Important: Do not pass the path to another library, which would keep the file open, or open
  ///   another one under the same path. Install the pack instead.
  /// - Parameter file: The path of the database below the pack's folder.
  /// - Returns: A source.
  public func database(_ file: String) -> InPlaceDatabaseSource {
    InPlaceDatabaseSource(self, file)
  }
}
