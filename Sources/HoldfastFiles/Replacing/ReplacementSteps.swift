import Foundation

/// The steps of one replacement, in the order in which they must be performed.
struct ReplacementSteps {
  let target: FilePath

  /// Whether a file that is kept next to a database is refused as the target.
  let refusesCompanions: Bool

  /// The suffix of the new file's own name; empty for the one name that a lock guards.
  var stagingSuffix = ""

  /// The path of the new file: under a lock always the same name, so that leftovers are found.
  var staging: FilePath { target.sibling("." + target.name + ".staging" + stagingSuffix) }

  var lockFile: FilePath { target.sibling("." + target.name + ".lock") }

  /// Refuses a target whose replacement would lose or mix content.
  func refuseUnsafeTarget() throws(FileError) {
    var present: FileStatus?
    do throws(Errno) {
      let status = try SystemCalls.linkStatus(of: target.text)
      switch status.kind {
      case .regular, .symbolicLink: present = status
      case .directory, .other: throw .isDirectory
      }
    } catch .notFound {
      // The file is created. A log without its database is refused nevertheless.
    } catch .isDirectory {
      throw .notRegular(target)
    } catch {
      throw .couldNotReplace(target, error)
    }
    if refusesCompanions, let companion = try DatabaseCompanion.found(at: target, present) {
      throw .companion(companion, for: target)
    }
    let files = DatabaseFiles(main: target)
    if let log = try files.firstWithContent(among: files.logs) {
      throw .logNextToTarget(target, log: log)
    }
  }

  /// Removes the files that this replacement, or a killed one before it, has left.
  func removeLeftovers() throws(FileError) {
    for file in [staging] + DatabaseFiles(main: staging).sidecars { try file.removeIfPresent() }
  }

  /// Removes the files of replacements without a lock that were killed an hour ago or earlier.
  func removeOldLeftovers() {
    let prefix = "." + target.name + ".staging-"
    // As below.
    let names = try? FileManager.default.contentsOfDirectory(atPath: target.directory.text)
    let limit = Date.now.addingTimeInterval(-3600)
    for name in names ?? [] where name.utf8.starts(with: prefix.utf8) {
      let path = target.sibling(name)
      // What cannot be examined or removed now is found by the next replacement.
      guard let status = try? SystemCalls.linkStatus(of: path.text), status.kind == .regular,
        Date(timeIntervalSince1970: Double(status.modified) / 1e9) < limit
      else { continue }
      // The next replacement tries again.
      try? SystemCalls.remove(path.text)
    }
  }

  /// Refuses a new file that is missing or incomplete, and removes its empty sidecars.
  func refuseUnfinishedStaging() throws(FileError) {
    let files = DatabaseFiles(main: staging)
    if let sidecar = try files.firstWithContent(among: files.sidecars) {
      throw .unfinishedStaging(target, sidecar: sidecar)
    }
    for file in files.sidecars { try file.removeIfPresent() }
    do throws(Errno) {
      if try SystemCalls.linkStatus(of: staging.text).kind == .regular { return }
    } catch .notFound {
      throw .nothingStaged(target)
    } catch {
      throw .couldNotReplace(target, error)
    }
    throw .notRegular(staging)
  }

  /// Returns the attributes of the file to be replaced; `nil` when it does not exist.
  func attributesOfTarget() throws(FileError) -> FileAttributes? {
    do throws(FileError) {
      return try FileAttributes(of: target)
    } catch {
      if error.code == .notFound { return nil }
      throw error
    }
  }

  /// Makes the new file durable, with the permissions of the file to be replaced.
  func syncStaging() throws(FileError) {
    do throws(Errno) {
      // Opened first, because the permissions may forbid it later.
      let file = try SystemCalls.openFile(staging.text, for: .read)
      if let replaced = try statusOfTarget() {
        let permissions = try Self.takeOwner(of: replaced, for: file)
        try SystemCalls.changePermissions(of: file, to: permissions)
      }
      try SystemCalls.sync(file)
    } catch {
      throw .couldNotReplace(target, error)
    }
  }

  private func statusOfTarget() throws(Errno) -> FileStatus? {
    do throws(Errno) {
      return try SystemCalls.status(of: target.text)
    } catch .notFound {
      return nil
    }
  }

  /// Gives the file the owner and the group of another one, if permitted.
  ///
  /// - Returns: The permissions that the file must have then. If the group is not the same, the
  ///   group's permissions are those of other users: they were meant for another group.
  private static func takeOwner(
    of replaced: FileStatus, for file: borrowing OpenFile
  ) throws(Errno) -> UInt32 {
    let own = try SystemCalls.status(of: file)
    guard (own.owner, own.group) != (replaced.owner, replaced.group) else {
      return replaced.permissions
    }
    do throws(Errno) {
      try SystemCalls.changeOwner(of: file, to: replaced.owner, group: replaced.group)
      return replaced.permissions
    } catch .notPermitted {
      if own.group == replaced.group { return replaced.permissions }
      return replaced.permissions & 0o707 | (replaced.permissions & 0o007) << 3
    }
  }

  func switchOver() throws(FileError) {
    do throws(Errno) {
      try SystemCalls.move(staging.text, to: target.text)
    } catch {
      throw .couldNotReplace(target, error)
    }
  }

  /// Makes the rename durable; until then, a power loss may bring the old file back.
  func syncDirectory() throws(FileError) {
    do throws(Errno) {
      try SystemCalls.syncDirectory(target.directory.text)
    } catch {
      throw .notDurable(target, error)
    }
  }
}
