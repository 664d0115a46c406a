import Foundation
import HoldfastFiles

/// The steps from a complete part to a file that is recorded; each may be the last of a process.
struct DownloadFinisher: Sendable {
  let folder: DownloadFolder
  let container: Container

  // MARK: Steps

  /// Writes to the journal that the part is complete; from now on nothing is received any more.
  func verify(
    _ part: PartWriter, _ entry: JournalEntry, for key: DownloadKey, replaces: Bool
  ) throws(DownloadError) -> JournalEntry {
    let content = try part.finish()
    if let expected = entry.expectedByteCount, expected != content.digest.byteCount {
      throw .wrongLength(expected: expected, found: content.digest.byteCount)
    }
    if let expected = entry.expectedSHA256, expected != content.digest.sha256 {
      throw .digestMismatch(expected: expected, found: content.digest.sha256)
    }
    try setAttributes(of: entry, on: folder.part(key))
    _ = try part.sync()
    var entry = entry
    entry.total = content.digest.byteCount
    entry.syncedByteCount = content.digest.byteCount
    entry.verified = JournalEntry.Verified(
      digest: content.digest,
      part: JournalEntry.Identity(content.status), replaces: replaces)
    try folder.write(entry, for: key, isDurable: true)
    return entry
  }

  /// Performs the next step of what the journal says, up to the file that is to be recorded.
  ///
  /// - Returns: The file; `nil` when there is none any more.
  func publish(_ entry: JournalEntry, _ verified: JournalEntry.Verified, for key: DownloadKey)
    throws(DownloadError) -> DownloadedFile?
  {
    let destination = try path(of: entry)
    switch try plan(entry, for: key) {
    case .publish:
      try refuseExchangedPart(verified, key)
      try rename(entry, verified, key, to: destination)
    case .adopt:
      try adopt(destination, for: entry)
      try folder.removePart(key)
    case .record: break
    case .occupied:
      throw .destinationOccupied(entry.destination, "another file has this name")
    case .forget, .keepPart: return nil
    case .postpone:
      throw .destinationOccupied(
        entry.destination, "a file with this name is in use and was not compared")
    }
    do throws(Errno) {
      try folder.sync(destination.directory)
    } catch {
      throw .file("renamed", destination, error)
    }
    return DownloadedFile(
      id: entry.id, source: entry.url, destination: entry.destination,
      byteCount: verified.digest.byteCount, sha256: verified.digest.sha256)
  }

  /// Calls the app's closure.
  func record(_ file: DownloadedFile, with record: Downloader.Record) async throws {
    do {
      try await record(file)
    } catch {
      throw DownloadError.notRecorded(file.destination, error)
    }
  }

  /// Returns the file of an entry that has its name and is not recorded; `nil` when there is none.
  func finishedFile(_ key: DownloadKey) throws(DownloadError) -> DownloadedFile? {
    guard let entry = try folder.readEntry(key), let verified = entry.verified else { return nil }
    do throws(DownloadError) {
      switch try plan(entry, for: key) {
      case .record, .adopt, .postpone: return try publish(entry, verified, for: key)
      case .publish, .occupied, .forget, .keepPart: return nil
      }
    } catch {
      // What is at the destination is not the part, which has never been renamed or copied.
      if verified.copy == nil, let part = try folder.statusOfPart(key),
        verified.part.isFile(part)
      {
        return nil
      }
      throw error
    }
  }

  /// Removes the part, the entry, and a copy that was not renamed.
  func remove(_ key: DownloadKey) throws(DownloadError) {
    if let entry = try folder.readEntry(key), entry.verified != nil {
      do throws(DownloadError) {
        try folder.remove(at: staging(key, for: path(of: entry)))
      } catch {
        // Only a copy on another volume can be there; its name says what it is.
        Log.report(.notice, .downloads, "a copy was not looked for: \(Log.kind(of: error))")
      }
    }
    try folder.remove(key)
  }

  /// Decides what remains to be done for an entry.
  func plan(_ entry: JournalEntry, for key: DownloadKey) throws(DownloadError) -> CompletionPlan {
    let part: CompletionPlan.Part =
      try folder.statusOfPart(key).map { $0.kind == .regular ? .present : .unknown } ?? .absent
    guard let verified = entry.verified else {
      return CompletionPlan(.receiving, part: part, destination: .absent)
    }
    let destination = try compare(
      verified, with: path(of: entry), isReplaceable: verified.replaces && part == .present)
    return CompletionPlan(
      .verified(replaces: verified.replaces), part: part, destination: destination)
  }

  // MARK: The destination

  /// Returns the destination's path; its folder is created.
  func path(of entry: JournalEntry) throws(DownloadError) -> FilePath {
    do throws(FileError) {
      if let parent = entry.destination.parent, !parent.components.isEmpty {
        try container.createDirectory(at: parent)
      } else {
        try container.createDirectory(at: RelocatablePath(entry.destination.root))
      }
      let path = try FilePath(of: container.url(for: entry.destination))
      if let companion = try DatabaseCompanion.found(at: path) {
        throw FileError.companion(companion, for: path)
      }
      return path
    } catch {
      throw .file(error)
    }
  }

  private func compare(
    _ verified: JournalEntry.Verified, with path: FilePath, isReplaceable: Bool
  ) throws(DownloadError) -> CompletionPlan.Destination {
    do throws(Errno) {
      let status = try SystemCalls.linkStatus(of: path.text)
      guard status.kind == .regular else { return .other }
      let found = JournalEntry.Identity(status)
      if found == verified.part || found == verified.copy { return .same }
      guard status.byteCount == verified.digest.byteCount else { return .other }
    } catch .notFound {
      return .absent
    } catch {
      throw .file("examined", path, error)
    }
    switch IdentityReader.digest(of: path) {
    case .digest(let found): return found == verified.digest ? .same : .other
    // Its content does not matter, such as a database's, which must not be read.
    case .notExamined where isReplaceable: return .other
    case .notExamined: return .unknown
    case .unreadable(let error): throw .file(error)
    }
  }

  /// Returns the digest of a file that may be anything; `nil` when it must not be read, as a
  /// database that SQLite may have open, or cannot.
  static func digest(of path: FilePath) -> FileDigest? {
    switch IdentityReader.digest(of: path) {
    case .digest(let digest): digest
    case .notExamined, .unreadable: nil
    }
  }

  /// Throws when the part is not the file whose bytes were verified.
  private func refuseExchangedPart(
    _ verified: JournalEntry.Verified, _ key: DownloadKey
  ) throws(DownloadError) {
    let part = folder.part(key)
    guard let status = try folder.statusOfPart(key), status.kind == .regular else {
      throw .partInUse(part)
    }
    if verified.part.isFile(status) { return }
    // A folder that was copied or restored has the same bytes in another file.
    guard try Self.digest(ofOwn: part) == verified.digest else { throw .partInUse(part) }
  }

  /// Returns the digest of a file of this module, which nothing else has open.
  private static func digest(ofOwn path: FilePath) throws(DownloadError) -> FileDigest {
    do throws(FileError) {
      return try FileDigest(of: path.url)
    } catch {
      throw .file(error)
    }
  }

  private func rename(
    _ entry: JournalEntry, _ verified: JournalEntry.Verified, _ key: DownloadKey,
    to destination: FilePath
  ) throws(DownloadError) {
    try refuseUnsafeDestination(entry, verified, destination)
    let part = folder.part(key)
    do throws(Errno) {
      try give(part, the: destination, replacing: verified.replaces)
    } catch .otherVolume {
      try copy(entry, verified, key, to: destination)
    } catch {
      throw .notNamed(entry.destination, destination, error)
    }
  }

  private func give(
    _ file: FilePath, the name: FilePath, replacing: Bool
  ) throws(Errno) {
    if replacing {
      try SystemCalls.move(file.text, to: name.text)
    } else {
      try SystemCalls.moveExclusively(file.text, to: name.text)
    }
  }

  /// Throws when the destination is, or could become, part of a database that is in use.
  ///
  /// SQLite applies a log of this name to whatever file has the database's name. A connection that
  /// has the old file open would keep it, and write where no other reads.
  ///
  /// - SeeAlso: https://sqlite.org/howtocorrupt.html, sections 1.4 and 4.2.
  private func refuseUnsafeDestination(
    _ entry: JournalEntry, _ verified: JournalEntry.Verified, _ path: FilePath
  ) throws(DownloadError) {
    let log: FilePath?
    do throws(FileError) {
      log = try DatabaseFiles(main: path).firstLogWithContent()
    } catch {
      throw .file(error)
    }
    if let log { throw .logNextToDestination(entry.destination, log) }
    guard verified.replaces else { return }
    let status: FileStatus
    do throws(Errno) {
      status = try SystemCalls.linkStatus(of: path.text)
    } catch .notFound {
      return
    } catch {
      throw .file("examined", path, error)
    }
    // A folder is not replaced by rename(2), a link would be.
    guard status.kind == .regular else {
      throw .destinationOccupied(entry.destination, "something else has this name")
    }
    guard SystemCalls.isOpenHere(status) == false else { throw .destinationOpen(entry.destination) }
  }

  // MARK: Other volumes

  /// The path of a copy next to the destination: always the same name, so that leftovers are found.
  private func staging(_ key: DownloadKey, for destination: FilePath) -> FilePath {
    destination.sibling(".\(key).downloading")
  }

  /// Copies the part to another volume, where it cannot be renamed to.
  ///
  /// The journal knows the copy before it gets its name, so that it is recognized without being
  /// read, as a database must not be.
  private func copy(
    _ entry: JournalEntry, _ verified: JournalEntry.Verified, _ key: DownloadKey,
    to destination: FilePath
  ) throws(DownloadError) {
    let staging = staging(key, for: destination)
    var (entry, verified) = (entry, verified)
    try folder.remove(at: staging)
    do throws(DownloadError) {
      try copyBytes(of: key, to: staging)
      try setAttributes(of: entry, on: staging)
      verified.copy = JournalEntry.Identity(try sync(staging))
      guard try Self.digest(ofOwn: staging) == verified.digest else {
        throw .partInUse(folder.part(key))
      }
      entry.verified = verified
      try folder.write(entry, for: key, isDurable: true)
      // Copying takes a while.
      try refuseUnsafeDestination(entry, verified, destination)
      do throws(Errno) {
        try give(staging, the: destination, replacing: verified.replaces)
        try folder.sync(destination.directory)
      } catch {
        throw .notNamed(entry.destination, destination, error)
      }
    } catch {
      // The first error is the one to report; what stays is removed by the next attempt.
      try? folder.remove(at: staging)
      throw error
    }
    try folder.removePart(key)
  }

  private func copyBytes(of key: DownloadKey, to staging: FilePath) throws(DownloadError) {
    do throws(Errno) {
      try SystemCalls.copyBytes(of: folder.part(key).text, to: staging.text)
    } catch {
      throw .file("copied", staging, error)
    }
  }

  /// Makes a file of ours durable and returns its status.
  private func sync(_ path: FilePath) throws(DownloadError) -> FileStatus {
    do throws(Errno) {
      let file = try SystemCalls.openFile(path.text, for: .update)
      try SystemCalls.sync(file)
      return try SystemCalls.status(of: file)
    } catch {
      throw .file("written", path, error)
    }
  }

  // MARK: Attributes

  /// Gives a file that existed before what a downloaded one has: its attributes and durability.
  func adopt(_ path: FilePath, for entry: JournalEntry) throws(DownloadError) {
    try setAttributes(of: entry, on: path)
    // Only a file that may be read may be closed: one that is no database and is not open here.
    let isReadable =
      switch IdentityReader.digest(of: path, until: { true }) {
      case .notExamined(.stopped), .digest: true
      case .notExamined, .unreadable: false
      }
    do throws(Errno) {
      if isReadable { try SystemCalls.sync(SystemCalls.openFile(path.text, for: .readPlain)) }
      try folder.sync(path.directory)
    } catch {
      throw .file("made durable", path, error)
    }
  }

  private func attributes(of entry: JournalEntry) -> FileAttributes {
    FileAttributes(isExcludedFromBackup: entry.isExcludedFromBackup)
  }

  private func setAttributes(of entry: JournalEntry, on path: FilePath) throws(DownloadError) {
    do throws(FileError) {
      try attributes(of: entry).set(on: path.url)
    } catch {
      // A volume without attributes has no backups that respect them.
      if error.code != .unsupported { throw .file(error) }
      Log.report(.notice, .downloads, "'\(path.name)' has no attributes: the volume keeps none")
    }
  }
}

extension JournalEntry.Identity {
  /// Returns whether a status belongs to this file.
  ///
  /// The number of a volume may be another one after a restart.
  func isFile(_ status: FileStatus) -> Bool {
    status.kind == .regular && inode == status.inode && byteCount == status.byteCount
      && modified == status.modified
  }

  init(_ status: FileStatus) {
    self.init(
      device: status.device, inode: status.inode, byteCount: status.byteCount,
      modified: status.modified)
  }
}
