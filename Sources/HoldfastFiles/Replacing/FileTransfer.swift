package import Foundation

/// The move of a plain file to another path, on the same volume or on another one.
///
/// On one volume it is one rename. Otherwise the file is copied to `.<name>.moving` next to the
/// destination, the copy is read back and compared, and gets the extended attributes, the exclusion
/// from backups, the permissions and the time of the source; it is synced and renamed, and the
/// source is removed last. Nothing at the destination is ever replaced. After a crash at any moment
/// the complete file is at the source, at the destination, or at both, and ``move()`` finishes.
///
/// The steps can be called one by one, so that a journal records between them: `stage()` for a
/// copy, `publish(_:)`, `finish(_:)`. One process at a time may move a file; the journal ensures it.
///
/// A database is refused, and so is a file that this process has open in a way that does not show
/// whether it is one. Other files may be open: their readers keep reading.
package struct FileTransfer: Sendable {
  /// The way in which a file gets to its destination.
  package enum Method: String, Hashable, Sendable, Codable {
    /// Both paths are on one volume.
    case rename
    /// The destination is on another volume.
    case copy
  }

  package let source: FilePath
  package let destination: FilePath

  private static let ending = ".moving"

  /// Prepares a move, without changing anything.
  package init(from source: URL, to destination: URL) throws(FileError) {
    self.source = try FilePath(of: source)
    self.destination = try FilePath(of: destination)
  }

  /// The path of the copy: always the same name, so that leftovers are found.
  package var staging: FilePath {
    let name = "." + destination.name + Self.ending
    if name.utf8.count <= DatabaseFiles.nameLimit { return destination.sibling(name) }
    var hasher = SHA256()
    hasher.update(destination.name.utf8)
    return destination.sibling(".\(hasher.finalize())" + Self.ending)
  }

  // MARK: All steps

  /// Moves the file, or finishes a move that was interrupted at any step.
  ///
  /// - Throws: ``FileError``: `.notFound` when neither file, or no folder for the destination,
  ///   exists; `.database` for a database and `.companion` for a file next to one; `.busy` when it
  ///   is unknown whether the file is a database, or when it changes meanwhile; `.notRegularFile`;
  ///   `.inputOutput` with `EEXIST` when another file is at the destination; `.sidecarPresent` when
  ///   a log of a database is next to it; `.unsupported` when the volume cannot keep the attributes;
  ///   `.noSpace`, `.accessDenied`, `.readOnly`, `.notDurable`, `.inputOutput`. After each of these,
  ///   the complete file is at one of the paths.
  package func move() throws(FileError) {
    switch try state() {
    case .neither: throw .couldNotMove(source, .notFound)
    case .source: try moveSource()
    case .destination: try finish(.rename)
    case .oneName: try renameInPlace()
    case .twoNames: try removeSource()
    case .both:
      guard try isSameContent() else { throw .couldNotMove(source, .alreadyExists) }
      try removeSource()
    }
    try discard()
  }

  private func moveSource() throws(FileError) {
    try discard()
    var method = try method()
    if method == .rename {
      do throws(FileError) {
        try publish(.rename)
      } catch {
        // Two mounts of one volume have the same device.
        guard error.errno == Errno.otherVolume.rawValue else { throw error }
        method = .copy
      }
    }
    if method == .copy {
      _ = try stage()
      try publish(.copy)
    }
    try finish(method)
  }

  // MARK: The steps

  /// Returns how the file gets to its destination.
  package func method() throws(FileError) -> Method {
    do throws(Errno) {
      let volume = try SystemCalls.linkStatus(of: source.text).device
      let isSame = try SystemCalls.status(of: destination.directory.text).device == volume
      return isSame ? .rename : .copy
    } catch {
      throw .couldNotMove(source, error)
    }
  }

  /// Writes the copy, verifies it and makes it durable; removes it after an error.
  ///
  /// - Returns: The digest of the file.
  package func stage() throws(FileError) -> FileDigest {
    try refuseUnsafeDestination()
    try discard()
    do throws(FileError) {
      let file = try openSource()
      let digest = try copy(file)
      guard try FileReading.digest(of: staging) == digest else { throw .copyDiffers(source) }
      return digest
    } catch {
      // The first error is the one to report; what cannot be removed now is removed next time.
      try? discard()
      throw error
    }
  }

  /// Gives the file its new name, durably, unless something exists there.
  package func publish(_ method: Method) throws(FileError) {
    try refuseUnsafeDestination()
    // Refused again: a rename does not read the file.
    if method == .rename { _ = try openSource() }
    do throws(Errno) {
      let path = method == .rename ? source : staging
      try SystemCalls.moveExclusively(path.text, to: destination.text)
    } catch {
      throw .couldNotMove(source, error)
    }
    try syncFolder(of: destination)
  }

  /// Removes the source after a copy, durably; after a rename makes the removal of its name so.
  package func finish(_ method: Method) throws(FileError) {
    switch method {
    case .rename: try syncFolder(of: source)
    case .copy: try removeSource()
    }
  }

  /// Removes a copy that was not renamed, including one left by a process that died.
  package func discard() throws(FileError) {
    do throws(Errno) {
      try SystemCalls.remove(staging.text)
    } catch .notFound, .notDirectory {
      return
    } catch {
      throw .couldNotRemove(staging, error)
    }
  }

  // MARK: The state on disk

  /// The existing files of a transfer.
  private enum State {
    case neither, source, destination
    /// Two files.
    case both
    /// Two names of one file in the list of names, as after a link.
    case twoNames
    /// Both paths find one name, as where letter case is ignored.
    case oneName
  }

  private func state() throws(FileError) -> State {
    switch (try status(of: source), try status(of: destination)) {
    case (nil, nil): return .neither
    case (_?, nil): return .source
    case (nil, _?): return .destination
    case (let old?, let new?):
      guard old.isSameFile(as: new) else { return .both }
      return try isOneName() ? .oneName : .twoNames
    }
  }

  private func status(of path: FilePath) throws(FileError) -> FileStatus? {
    do throws(Errno) {
      return try SystemCalls.linkStatus(of: path.text)
    } catch .notFound, .notDirectory {
      return nil
    } catch {
      throw .couldNotRead(path, error)
    }
  }

  /// Returns whether both paths, which find one file, are one name in one folder.
  ///
  /// Removing one of two such names would remove the file.
  private func isOneName() throws(FileError) -> Bool {
    do throws(Errno) {
      let folder = try SystemCalls.status(of: source.directory.text)
      let other = try SystemCalls.status(of: destination.directory.text)
      guard folder.isSameFile(as: other) else { return false }
      var names: Set<[UInt8]> = []
      var directory = try OpenDirectory(source.directory.text)
      while let entry = try directory.next() { names.insert(entry.nameBytes) }
      return source.name.utf8.elementsEqual(destination.name.utf8)
        || !names.isSuperset(of: [Array(source.name.utf8), Array(destination.name.utf8)])
    } catch {
      throw .couldNotRead(source, error)
    }
  }

  private func renameInPlace() throws(FileError) {
    guard !source.name.utf8.elementsEqual(destination.name.utf8) else { return }
    try refuseUnsafeDestination()
    _ = try openSource()
    do throws(Errno) {
      try SystemCalls.move(source.text, to: destination.text)
    } catch {
      throw .couldNotMove(source, error)
    }
    try syncFolder(of: destination)
  }

  private func isSameContent() throws(FileError) -> Bool {
    let old = try openSource()
    let new: LockSafeFile
    do throws(LockSafeFile.Failure) {
      new = try LockSafeFile(destination, evenIfOpen: true)
    } catch {
      switch error {
      case .failed(let error): throw error
      // What is there is not the copy.
      case .refused: return false
      }
    }
    guard old.status.byteCount == new.status.byteCount else { return false }
    return try old.digest() == new.digest()
  }

  /// Removes the source, if the destination is there without it.
  private func removeSource() throws(FileError) {
    guard let new = try status(of: destination), new.kind == .regular else {
      throw .couldNotMove(source, .notFound)
    }
    if let old = try status(of: source) {
      if old.isSameFile(as: new) {
        if try isOneName() { return }
      } else if old.byteCount != new.byteCount || !Self.isSameTime(old.modified, new.modified) {
        // It was changed after it was copied.
        guard try isSameContent() else { throw .couldNotMove(source, .alreadyExists) }
      }
      do throws(Errno) {
        try SystemCalls.removeIfPresent(source.text)
      } catch {
        throw .moveNotDurable(source, error)
      }
    }
    try syncFolder(of: source)
  }

  /// Returns whether two times are equal as far as volumes keep them: FAT has steps of two seconds.
  private static func isSameTime(_ left: Int64, _ right: Int64) -> Bool {
    (left / 1_000_000_000 - right / 1_000_000_000).magnitude <= 2
  }

  private func refuseUnsafeDestination() throws(FileError) {
    if let companion = try DatabaseCompanion.found(at: destination) {
      throw .companion(companion, for: destination)
    }
    if let log = try DatabaseFiles(main: destination).firstLogWithContent() {
      throw .logNextToCopy(destination, log: log)
    }
  }

  private func openSource() throws(FileError) -> LockSafeFile {
    do throws(LockSafeFile.Failure) {
      return try LockSafeFile(source, evenIfOpen: true)
    } catch {
      switch error {
      case .failed(let error): throw error
      case .refused(let refusal): throw .notMoved(source, refusal)
      }
    }
  }

  private func syncFolder(of file: FilePath) throws(FileError) {
    do throws(Errno) {
      try SystemCalls.syncDirectory(file.directory.text)
    } catch {
      throw .moveNotDurable(source, error)
    }
  }
}
