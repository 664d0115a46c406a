package import Foundation

/// The move of a database that is not open, in steps: copy, sync, rename, remove the source last.
///
/// The caller ensures that the source does not change until ``finish()`` has returned. After a
/// crash at any moment the source exists, or the destination, or both with the same content.
package struct FileMove: Sendable {
  package let source: FilePath
  package let destination: FilePath

  /// The path of the copy: always the same name, so that leftovers are found.
  private var staging: FilePath { destination.sibling("." + destination.name + ".moving") }

  package init(from source: URL, to destination: URL) throws(FileError) {
    self.source = try FilePath(of: source)
    self.destination = try FilePath(of: destination)
  }

  /// Returns whether the source exists.
  package func hasSource() throws(FileError) -> Bool {
    try source.byteCount() != nil
  }

  /// Refuses a destination that is the name of a file kept next to a database.
  package func refuseCompanion() throws(FileError) {
    if let companion = try DatabaseCompanion.found(at: destination) {
      throw .companion(companion, for: destination)
    }
  }

  /// Returns whether the destination exists already.
  ///
  /// - Throws: ``FileError`` with `.sidecarPresent` when there is a log that SQLite would apply to
  ///   the moved file.
  package func hasDestination() throws(FileError) -> Bool {
    let files = DatabaseFiles(main: destination)
    if try destination.byteCount() != nil { return true }
    if let log = try files.firstWithContent(among: files.logs) {
      throw .logNextToTarget(destination, log: log)
    }
    return false
  }

  /// Writes the copy and makes it durable.
  ///
  /// - Parameters:
  ///   - byteCount: The length of the source in bytes.
  ///   - piece: Returns bytes of the source, starting at an offset. SQLite may hold locks on the
  ///     source, which closing another descriptor of it would release.
  /// - Throws: ``FileError`` when a system call fails; whatever `piece` throws.
  package func stage(
    byteCount: Int64, _ piece: (_ offset: Int64, _ count: Int) throws -> [UInt8]
  ) throws {
    try discard()
    let copy = try create()
    var offset: Int64 = 0
    while offset < byteCount {
      let bytes = try piece(offset, Int(min(byteCount - offset, 256 * 1024)))
      do throws(Errno) {
        try SystemCalls.writeBytes(copy, bytes, count: bytes.count)
      } catch {
        throw FileError.couldNotMove(source, error)
      }
      offset += Int64(bytes.count)
    }
    try FileAttributes(of: source).set(on: staging)
    do throws(Errno) {
      let permissions = try SystemCalls.status(of: source.text).permissions
      try SystemCalls.changePermissions(of: copy, to: permissions)
      try SystemCalls.sync(copy)
      try copy.close()
    } catch {
      throw FileError.couldNotMove(source, error)
    }
  }

  private func create() throws(FileError) -> OpenFile {
    do throws(Errno) {
      return try SystemCalls.openFile(staging.text, for: .createNew)
    } catch {
      throw .couldNotMove(source, error)
    }
  }

  /// Renames the copy to the destination, durably.
  package func publish() throws(FileError) {
    do throws(Errno) {
      try SystemCalls.move(staging.text, to: destination.text)
    } catch {
      throw .couldNotMove(source, error)
    }
    try syncFolder(of: destination)
  }

  /// Removes the source, durably.
  package func finish() throws(FileError) {
    // The companions, which hold no changes, are removed first: otherwise they would be taken for
    // those of a database that is created at this path later.
    for file in DatabaseFiles(main: source).sidecars + [source] {
      do throws(Errno) {
        try SystemCalls.removeIfPresent(file.text)
      } catch {
        throw .moveNotDurable(source, error)
      }
    }
    try syncFolder(of: source)
  }

  /// Removes a copy that was not renamed, including one left by a process that died.
  package func discard() throws(FileError) {
    try staging.removeIfPresent()
  }

  private func syncFolder(of file: FilePath) throws(FileError) {
    do throws(Errno) {
      try SystemCalls.syncDirectory(file.directory.text)
    } catch {
      throw .moveNotDurable(source, error)
    }
  }
}
