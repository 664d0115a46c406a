package import Foundation

/// Moves a database that nobody has open, in steps: copied aside, synced, renamed, removed last.
///
/// Whoever calls makes sure that the source stays as it is until ``finish()`` has returned. After a
/// crash at any moment the source is there, or the destination, or both with the same content.
package struct FileMove: Sendable {
  package let source: FilePath
  package let destination: FilePath

  /// Where the copy is made: always the same name, so that leftovers are found.
  private var staging: FilePath { destination.beside("." + destination.name + ".moving") }

  package init(from source: URL, to destination: URL) throws(FileError) {
    self.source = try FilePath(of: source)
    self.destination = try FilePath(of: destination)
  }

  /// Whether there is something to move.
  package func hasSource() throws(FileError) -> Bool {
    try source.byteCount() != nil
  }

  /// Refuses a new place that is the name of a file kept next to a database.
  package func refuseCompanion() throws(FileError) {
    if let companion = try DatabaseCompanion.found(at: destination) {
      throw .companion(companion, for: destination)
    }
  }

  /// Whether something has the new name already.
  ///
  /// - Throws: ``FileError`` with `.sidecarPresent` when a log lies there that SQLite would apply to
  ///   the file.
  package func hasDestination() throws(FileError) -> Bool {
    let files = DatabaseFiles(main: destination)
    if try destination.byteCount() != nil { return true }
    if let log = try files.firstWithContent(among: files.logs) {
      throw .logBesideTarget(destination, log: log)
    }
    return false
  }

  /// Makes the copy aside and brings it onto the medium.
  ///
  /// - Parameters:
  ///   - byteCount: How long the source is.
  ///   - piece: Reads bytes of the source, from an offset on. The source may be locked by SQLite,
  ///     and a descriptor of ours would end that when it is closed.
  /// - Throws: ``FileError`` as the steps do; what `piece` throws.
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

  /// Gives the copy its name, durably.
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
    // Without its companions first, which hold nothing: they would be taken for those of a database
    // that is made in this place later.
    for file in DatabaseFiles(main: source).sidecars + [source] {
      do throws(Errno) {
        try SystemCalls.remove(file.text)
      } catch .notFound {
        continue
      } catch {
        throw .moveNotDurable(source, error)
      }
    }
    try syncFolder(of: source)
  }

  /// Removes a copy that did not get its name, also one of a process that died.
  package func discard() throws(FileError) {
    do throws(Errno) {
      try SystemCalls.remove(staging.text)
    } catch .notFound {
      return
    } catch {
      throw .couldNotRemove(staging, error)
    }
  }

  private func syncFolder(of file: FilePath) throws(FileError) {
    do throws(Errno) {
      try SystemCalls.sync(SystemCalls.openFile(file.directory.text, for: .read))
    } catch {
      throw .moveNotDurable(source, error)
    }
  }
}
