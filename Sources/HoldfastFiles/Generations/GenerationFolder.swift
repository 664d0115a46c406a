/// A folder with generations of something, of which the file `current` names one.
///
/// A generation is a file or a folder that is never modified. A new one is made beside the others and
/// gets a name that nothing has when it is complete and durable; then `current` is replaced in one
/// step; an old one is removed when nothing needs it. So `current` names a whole generation at each
/// moment, whenever a process ends or power is lost.
///
/// What a generation is, how it is named, and what else `current` says is up to its owner.
package struct GenerationFolder: Hashable, Sendable {
  package let path: FilePath

  package init(_ path: FilePath) {
    self.path = path
  }

  /// The file that names the current generation.
  package var current: FilePath { path.appending(["current"]) }

  /// The names of the files that a replacement of ``current`` leaves when its process ends.
  package static let leftoverNames = [".current.staging", ".current.lock"]

  /// The folder that says which processes use which generation.
  package var leases: LeaseFolder { LeaseFolder(path.appending(["leases"])) }

  // MARK: The current generation

  /// Reads the file that names the current generation.
  ///
  /// - Parameter limit: The greatest length of a file that is read, in bytes.
  /// - Returns: Its content, if it is a plain file of at most that length.
  /// - Throws: ``FileError`` when it cannot be read.
  package func readCurrent(upTo limit: Int) throws(FileError) -> SmallFile {
    try SmallFile(at: current, upTo: limit)
  }

  /// Replaces the file that names the current generation, in one step and durably.
  ///
  /// - Throws: ``FileError``, after which the file is the one that was.
  package func replaceCurrent(with bytes: [UInt8]) throws {
    try AtomicReplace(at: current.url, waitingUpTo: .seconds(5)).write { staging in
      let path = try FilePath(of: staging)
      do throws(Errno) {
        let file = try SystemCalls.openFile(path.text, for: .createNew)
        try SystemCalls.writeBytes(file, bytes, count: bytes.count)
        try file.close()
      } catch {
        throw FileError.couldNotReplace(current, error)
      }
    }
  }

  // MARK: Names

  /// Gives a durable file or folder the first name that nothing has, durably.
  ///
  /// A name that something else has is never taken, so that a damaged generation that is in use stays
  /// as it is.
  ///
  /// - Parameters:
  ///   - staging: The file or the folder.
  ///   - name: The name of the first choice, of the second, and so on, from 1.
  ///   - isSame: Whether what has a name already is the same generation, which then stays, and so does
  ///     the one in the staging place.
  /// - Returns: Which choice it was, and whether the generation was moved to it.
  /// - Throws: ``FileError`` when it cannot be renamed, and the errors of the closure.
  package func publish(
    _ staging: FilePath, as name: (Int) -> String,
    unless isSame: (FilePath) throws -> Bool = { _ in false }
  ) throws -> (choice: Int, isMoved: Bool) {
    let found = try move(staging, to: name, unless: isSame)
    try path.syncNames()
    return found
  }

  /// Gives a file or a folder the first name that nothing has, as ``publish(_:as:unless:)`` does, but
  /// not durably.
  package func move(
    _ moved: FilePath, to name: (Int) -> String,
    unless isSame: (FilePath) throws -> Bool = { _ in false }
  ) throws -> (choice: Int, isMoved: Bool) {
    var choice = 1
    while true {
      let place = path.appending([name(choice)])
      do throws(Errno) {
        try SystemCalls.moveExclusively(moved.text, to: place.text)
        return (choice, true)
      } catch .alreadyExists, .notEmpty {
        if try isSame(place) { return (choice, false) }
        choice += 1
      } catch {
        throw FileError.couldNotMove(moved, error)
      }
    }
  }
}
