import Foundation
import HoldfastFiles

/// The steps from a complete part to a file that is recorded; each may be the last of a process.
struct Completion: Sendable {
  let folder: DownloadFolder
  let container: Container

  // MARK: Steps

  /// Writes to the journal that the part is complete; from now on nothing is received any more.
  ///
  /// - Returns: The entry.
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
      try rename(entry, verified, folder.part(key), to: destination)
    case .adopt:
      try setAttributes(of: entry, on: destination)
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

  /// Decides what remains to be done for an entry.
  func plan(_ entry: JournalEntry, for key: DownloadKey) throws(DownloadError) -> CompletionPlan {
    let part: CompletionPlan.Part
    do throws(DownloadError) {
      part =
        try folder.statusOfPart(key).map { $0.kind == .regular ? .present : .unknown } ?? .absent
    } catch {
      part = .unknown
    }
    guard let verified = entry.verified else {
      return CompletionPlan(.receiving, part: part, destination: .absent)
    }
    return CompletionPlan(
      .verified(replaces: verified.replaces), part: part,
      destination: try compare(verified, with: path(of: entry)))
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
    _ verified: JournalEntry.Verified, with path: FilePath
  ) -> CompletionPlan.Destination {
    do throws(Errno) {
      let status = try SystemCalls.linkStatus(of: path.text)
      guard status.kind == .regular else { return .other }
      if JournalEntry.Identity(status) == verified.part { return .same }
      guard status.byteCount == verified.digest.byteCount else { return .other }
    } catch .notFound {
      return .absent
    } catch {
      return .unknown
    }
    guard let found = Self.digest(of: path) else { return .unknown }
    return found == verified.digest ? .same : .other
  }

  /// Returns the digest of a file that may be anything; `nil` when it must not be read, as a
  /// database that SQLite may have open, or cannot.
  static func digest(of path: FilePath) -> FileDigest? {
    switch IdentityReader.digest(of: path) {
    case .digest(let digest): digest
    case .notExamined, .unreadable: nil
    }
  }

  private func rename(
    _ entry: JournalEntry, _ verified: JournalEntry.Verified, _ part: FilePath,
    to destination: FilePath
  ) throws(DownloadError) {
    do throws(Errno) {
      if verified.replaces {
        // A folder is not replaced by rename(2), a link would be.
        do throws(Errno) {
          guard try SystemCalls.linkStatus(of: destination.text).kind == .regular else {
            throw .isDirectory
          }
        } catch .notFound {
          // It has gone meanwhile.
        }
        try SystemCalls.move(part.text, to: destination.text)
      } else {
        try SystemCalls.moveExclusively(part.text, to: destination.text)
      }
    } catch .otherVolume {
      try copy(entry, verified, part, to: destination)
    } catch  where [.alreadyExists, .isDirectory].contains(error) {
      throw .destinationOccupied(entry.destination, "something else has this name")
    } catch {
      throw .file("renamed", destination, error)
    }
  }

  /// Copies the part to another volume, where it cannot be renamed to.
  private func copy(
    _ entry: JournalEntry, _ verified: JournalEntry.Verified, _ part: FilePath,
    to destination: FilePath
  ) throws(DownloadError) {
    do {
      var replace = AtomicReplace(
        at: destination.url, waitingUpTo: .seconds(1), attributes: attributes(of: entry))
      // The path was looked at above.
      replace.refusesDatabaseCompanions = true
      try replace.copy(from: part.url, expecting: verified.digest.sha256)
    } catch let error as FileError {
      throw .file(error)
    } catch {
      throw .file("copied", destination, .inputOutput)
    }
    do throws(Errno) {
      try SystemCalls.remove(part.text)
    } catch {
      throw .file("removed", part, error)
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
  init(_ status: FileStatus) {
    self.init(
      device: status.device, inode: status.inode, byteCount: status.byteCount,
      modified: status.modified)
  }
}
