/// The steps of one replacement, in the order in which they may be taken.
struct ReplacementSteps {
  let target: FilePath

  /// Where the new file is made: always the same name, so that leftovers are found.
  var staging: FilePath { target.beside("." + target.name + ".staging") }

  var lockFile: FilePath { target.beside("." + target.name + ".lock") }

  /// Refuses a target whose replacement would lose or mix content.
  func refuseUnsafeTarget() throws(FileError) {
    do throws(Errno) {
      switch try SystemCalls.linkStatus(of: target.text).kind {
      case .regular, .symbolicLink: break
      case .directory, .other: throw .isDirectory
      }
    } catch .notFound {
      // Created, then. A log without its database is refused all the same.
    } catch .isDirectory {
      throw .notRegular(target)
    } catch {
      throw .couldNotReplace(target, error)
    }
    let files = DatabaseFiles(main: target)
    if let log = try files.firstWithContent(among: files.logs) {
      throw .logBesideTarget(target, log: log)
    }
  }

  /// Removes what this replacement, or a killed one before it, left aside.
  func removeLeftovers() throws(FileError) {
    try remove([staging] + DatabaseFiles(main: staging).sidecars)
  }

  /// Refuses a new file that is not there, or not all there, and removes its empty sidecars.
  func refuseUnfinishedStaging() throws(FileError) {
    let files = DatabaseFiles(main: staging)
    if let sidecar = try files.firstWithContent(among: files.sidecars) {
      throw .unfinishedStaging(target, sidecar: sidecar)
    }
    try remove(files.sidecars)
    do throws(Errno) {
      if try SystemCalls.linkStatus(of: staging.text).kind == .regular { return }
    } catch .notFound {
      throw .nothingStaged(target)
    } catch {
      throw .couldNotReplace(target, error)
    }
    throw .notRegular(staging)
  }

  /// What the file to be replaced has; `nil` when there is none.
  func attributesOfTarget() throws(FileError) -> FileAttributes? {
    do throws(FileError) {
      return try FileAttributes(of: target)
    } catch {
      if error.code == .notFound { return nil }
      throw error
    }
  }

  func syncStaging() throws(FileError) {
    do throws(Errno) {
      try SystemCalls.sync(SystemCalls.openFile(staging.text, for: .read))
    } catch {
      throw .couldNotReplace(target, error)
    }
  }

  func switchOver() throws(FileError) {
    do throws(Errno) {
      try SystemCalls.move(staging.text, to: target.text)
    } catch {
      throw .couldNotReplace(target, error)
    }
  }

  /// Until the list of names is on the medium, a power loss may bring the old file back.
  func syncDirectory() throws(FileError) {
    do throws(Errno) {
      try SystemCalls.sync(SystemCalls.openFile(target.directory.text, for: .read))
    } catch {
      throw .notDurable(target, error)
    }
  }

  private func remove(_ files: [FilePath]) throws(FileError) {
    for file in files {
      do throws(Errno) {
        try SystemCalls.remove(file.text)
      } catch .notFound {
        continue
      } catch {
        throw .couldNotRemove(file, error)
      }
    }
  }
}
