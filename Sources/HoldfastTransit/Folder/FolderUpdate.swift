package import Foundation
import Holdfast
package import HoldfastFiles

/// The steps with which an import adds a database to a folder and makes it current.
///
/// The folder is locked as long as this value lives.
///
/// At each moment `current` names a complete database: a new one is made durable before it is named,
/// and an old one is removed only when two others have been named since and no process uses it.
package struct FolderUpdate: ~Copyable {
  private let folder: FilePath
  private let lock: FileLock
  private let generations: GenerationFolder
  private let current: CurrentDatabase?

  /// The path of the database that is being made.
  package var staging: FilePath { Self.staging(in: folder) }

  private static func staging(in folder: FilePath) -> FilePath {
    folder.appending([".importing.db"])
  }

  /// The current database, whose numbers a new one keeps; `nil` when there is none.
  package var currentFile: URL? {
    current.map { folder.appending([$0.database.text]).url }
  }

  /// Locks a folder, reads what is current, and removes what a killed import has left.
  ///
  /// - Parameter folder: The folder.
  /// - Throws: ``TransitError`` with `.damaged`, `.schemaNewer`, `.notFound` when the current database
  ///   is missing; `FileError`, with `.busy` when another import holds the folder's lock.
  package init(of folder: FilePath) throws {
    let lock = try FileLock(folder.appending([".lock"]), guarding: folder, waitingUpTo: .zero)
    let generations = GenerationFolder(folder)
    let current = try CurrentDatabase.read(in: generations)
    if let current, try !folder.appending([current.database.text]).exists() {
      throw TransitError.missingCurrent(folder.text, name: current.database.text)
    }
    try Self.removeLeftovers(of: Self.staging(in: folder))
    // Left by a process that ended while it switched; the folder's lock excludes another one.
    try Self.remove(GenerationFolder.leftoverNames.map { folder.appending([$0]) })
    self.folder = folder
    self.lock = lock
    self.generations = generations
    self.current = current
  }

  /// Removes the database that is being made.
  package func removeLeftovers() throws(FileError) { try Self.removeLeftovers(of: staging) }

  private static func removeLeftovers(of staging: FilePath) throws(FileError) {
    try remove([staging] + DatabaseFiles(main: staging).sidecars)
  }

  private static func remove(_ files: [FilePath]) throws(FileError) {
    for file in files { try file.removeIfPresent() }
  }

  /// Gives the database that was made its name, makes it current, and removes older ones.
  ///
  /// - Throws: `FileError`, after which the current database is the one that was.
  package func publish() throws -> TimetableFolder.Update {
    let name = try giveName()
    if let current, current.database == name {
      return clean(TimetableFolder.Update(current, isSwitched: false), current)
    }
    let new = CurrentDatabase(name, after: current?.database)
    try new.write(in: generations)
    return clean(TimetableFolder.Update(new, isSwitched: true), new)
  }

  // MARK: The name

  /// Makes the file durable under its name; a name that another content has is never taken.
  private func giveName() throws -> DatabaseName {
    let digest = try FileDigest(of: staging.url).sha256
    try syncStaging()
    let found = try generations.publish(staging) { choice in
      DatabaseName(digest, choice: choice).text
    } unless: { file in
      try isContent(digest, of: file)
    }
    if !found.isMoved { try removeLeftovers() }
    return DatabaseName(digest, choice: found.choice)
  }

  private func syncStaging() throws(FileError) {
    do throws(Errno) {
      try SystemCalls.sync(SystemCalls.openFile(staging.text, for: .read))
    } catch {
      throw .couldNotReplace(staging, error)
    }
  }

  /// Returns whether a file has this content, without ending locks that this process has on it.
  private func isContent(_ digest: SHA256Digest, of file: FilePath) throws(FileError) -> Bool {
    do throws(FileError) {
      return try ImmutableFile(file).digest().sha256 == digest
    } catch {
      if error.code == .notRegularFile { return false }
      throw error
    }
  }

  // MARK: Cleaning

  private func clean(
    _ update: TimetableFolder.Update, _ current: CurrentDatabase
  ) -> TimetableFolder.Update {
    var update = update
    do {
      let uses = try generations.leases.usesByGeneration()
      for name in try databases() {
        let need = GenerationNeed(
          of: name.text, current: current.database.text, previous: current.previous?.text,
          uses[name.text] ?? [])
        if need == .current || need == .previous { continue }
        if let reason = try reasonToKeep(name, need) {
          update.kept.append(TimetableFolder.Kept(name: name.text, reason: reason))
        } else {
          try SystemCalls.remove(folder.appending([name.text]).text)
          update.removed.append(name.text)
        }
      }
    } catch {
      // The new database is current; the next import cleans up.
      Log.report(.error, .opening, "A folder of timetables was not cleaned: \(Log.kind(of: error))")
    }
    return update
  }

  private func databases() throws -> [DatabaseName] {
    var names: [DatabaseName] = []
    var directory = try OpenDirectory(folder.text)
    while let entry = try directory.next() {
      if let name = entry.name.flatMap(DatabaseName.init) { names.append(name) }
    }
    return names.sorted { $0.text < $1.text }
  }

  private func reasonToKeep(_ name: DatabaseName, _ need: GenerationNeed?) throws -> String? {
    switch need {
    case .held(let lease), .mayBeHeld(let lease):
      return TransitError.usedReason(
        "\(lease.role) (\(lease.process.number))", isKnown: need == .held(lease))
    case .current, .previous, nil: break
    }
    let file = folder.appending([name.text])
    if let user = try DatabaseUsers.lastingUser(of: file) {
      return TransitError.usedReason("\(user)", isKnown: true)
    }
    // Only what an import has written has the name that its content demands.
    do throws(FileError) {
      return name.isName(of: try ImmutableFile(file).digest().sha256)
        ? nil : TransitError.otherContentReason()
    } catch {
      if error.code == .notRegularFile { return TransitError.otherContentReason() }
      throw error
    }
  }
}
