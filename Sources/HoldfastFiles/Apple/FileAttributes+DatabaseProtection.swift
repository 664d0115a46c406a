#if canImport(Darwin)
  public import Foundation

  extension FileAttributes {
    /// Sets when a database can be read, on its file and those that SQLite keeps next to it.
    ///
    /// Set it on the folder first, so that new files inherit it. A file that this process has open
    /// is refused: the system may open and close a file to set its class, which would release
    /// SQLite's locks on it.
    ///
    /// - Parameters:
    ///   - protection: The protection class; a database that is used while the device is locked
    ///     needs `.completeUntilFirstUserAuthentication`.
    ///   - url: The database.
    /// - Throws: ``FileError`` with `.busy` when this process has one of the files open;
    ///   `.notFound`, `.accessDenied`, `.invalidPath` or `.inputOutput`.
    public static func setProtection(
      _ protection: FileProtectionType, onDatabaseAt url: URL
    ) throws(FileError) {
      let files = try filesOfDatabase(at: url)
      for (path, status) in files where SystemCalls.isOpenHere(status) != false {
        throw .protectedWhileOpen(path)
      }
      for (path, _) in files { try setProtection(protection, on: path.url) }
    }

    /// Returns the protection classes of a database's files.
    ///
    /// - Parameter url: The database.
    /// - Returns: The class of each file that exists and has one, by the file's name.
    /// - Throws: ``FileError`` with `.notFound`, `.accessDenied`, `.invalidPath` or `.inputOutput`.
    public static func protection(
      ofDatabaseAt url: URL
    ) throws(FileError) -> [String: URLFileProtection] {
      var classes: [String: URLFileProtection] = [:]
      for (path, _) in try filesOfDatabase(at: url) {
        do {
          let values = try path.url.resourceValues(forKeys: [.fileProtectionKey])
          classes[path.name] = values.fileProtection
        } catch {
          throw .attributesRefused(path, error)
        }
      }
      return classes
    }

    /// The database and its existing companions.
    private static func filesOfDatabase(
      at url: URL
    ) throws(FileError) -> [(path: FilePath, status: FileStatus)] {
      let database = DatabaseFiles(main: try FilePath(of: url).resolved())
      var found: [(path: FilePath, status: FileStatus)] = []
      for path in [database.main] + database.sidecars {
        do throws(Errno) {
          found.append((path, try SystemCalls.status(of: path.text)))
        } catch .notFound {
          continue
        } catch {
          throw .couldNotReadAttributes(path, error)
        }
      }
      return found
    }
  }
#endif
