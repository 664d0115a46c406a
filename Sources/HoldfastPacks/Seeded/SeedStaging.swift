import HoldfastFiles

/// The first content of a database of the app, before it has its name.
///
/// Each attempt has a file of its own: a process that has lost the opening lock may still write to
/// one, and must not change another process's.
struct SeedStaging {
  private static let mark = "~seeding~"

  let path: FilePath
  private let target: FilePath

  /// Chooses a name, without creating anything.
  ///
  /// - Parameter target: The path of the database.
  init(of target: FilePath) {
    self.target = target
    var generator = SystemRandomNumberGenerator()
    path = target.sibling(Self.prefix(of: target) + String(generator.next(), radix: 36))
  }

  private static func prefix(of target: FilePath) -> String { ".\(target.name)\(mark)" }

  /// Removes what processes have left that ended before the database had its name.
  ///
  /// A process that is at work finds its file gone, and begins again.
  static func removeLeftovers(of target: FilePath) throws(FileError) {
    let prefix = prefix(of: target)
    var leftovers: [FilePath] = []
    do throws(Errno) {
      var directory = try OpenDirectory(target.directory.text)
      while let entry = try directory.next() {
        guard let name = entry.name, name.utf8.starts(with: prefix.utf8) else { continue }
        leftovers.append(target.sibling(name))
      }
    } catch {
      throw .couldNotRead(target.directory, error)
    }
    for leftover in leftovers { try leftover.removeIfPresent() }
  }

  /// Copies the seed, and compares it with its digest.
  func copy(_ seed: SeedFile) throws(FileError) {
    _ = try VerifiedCopy(of: seed.path, to: path, expecting: seed.content)
      .perform(attributes: FileAttributes())
  }

  /// Makes the content durable after SQLite has changed it, and the removal of SQLite's journal.
  ///
  /// Otherwise a loss of power could keep the database's name and bring the journal back, which would
  /// stay for ever next to a database with another name.
  func sync() throws(FileError) {
    do throws(Errno) {
      try SystemCalls.sync(SystemCalls.openFile(path.text, for: .readPlain))
      try SystemCalls.syncDirectory(target.directory.text)
    } catch {
      throw .couldNotMove(path, error)
    }
  }

  /// Gives the file its name, durably, unless something has that name.
  ///
  /// - Returns: False when something has the name.
  func publish() throws(FileError) -> Bool {
    do throws(Errno) {
      try SystemCalls.moveExclusively(path.text, to: target.text)
      try SystemCalls.syncDirectory(target.directory.text)
      return true
    } catch .alreadyExists {
      return false
    } catch {
      throw .couldNotMove(path, error)
    }
  }

  /// Removes the file, and what SQLite has left next to it.
  func discard() throws(FileError) {
    // Another process may remove them too.
    for file in [path] + DatabaseFiles(main: path).sidecars { try file.removeIfPresent() }
  }
}
