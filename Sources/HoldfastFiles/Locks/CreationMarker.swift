/// A marker next to a database that is being created, so that it is not taken for a complete one.
///
/// It is set before the database has any content and cleared when the creator is done. A process
/// that finds content, and after that no marker, has found a complete database. If the creator is
/// killed, the marker stays until another creator is done.
///
/// The marker is a symbolic link without a target: one system call creates it together with its
/// text, which identifies it. Anything else with its name is left as it is.
package struct CreationMarker: Sendable {
  private static let text = "holdfast: this database is being created"

  private let database: FilePath
  private let marker: FilePath

  /// Creates the description of a database's marker, without setting it.
  ///
  /// - Parameter database: The database, which need not exist; symbolic links at its end are
  ///   followed, as SQLite does.
  /// - Throws: ``FileError`` when the links cannot be read.
  package init(of database: FilePath) throws(FileError) {
    self.database = database
    let target = try database.target()
    marker = target.beside("." + target.name + ".creating")
  }

  /// Whether the database is being created, or was when its creator was killed.
  package var isSet: Bool {
    get throws(FileError) {
      do throws(Errno) {
        return try SystemCalls.linkText(of: marker.text) == Self.text
      } catch .notFound, .notDirectory, .invalidArgument, .illegalBytes {
        return false
      } catch {
        throw .couldNotRead(marker, error)
      }
    }
  }

  /// Sets the marker.
  ///
  /// On a volume without symbolic links it is not set.
  ///
  /// - Throws: ``FileError`` when something else has its name, or the system refuses the call.
  package func set() throws(FileError) {
    do throws(Errno) {
      try SystemCalls.makeLink(marker.text, to: Self.text)
    } catch .alreadyExists {
      guard try isSet else { throw .couldNotMark(database, marker, .alreadyExists) }
    } catch .notPermitted, .notSupported {
      // Readers may then see the database before it is complete.
      return
    } catch {
      throw .couldNotMark(database, marker, error)
    }
  }

  /// Makes the marker durable; otherwise a power loss could leave content without it.
  package func sync() throws(FileError) {
    do throws(Errno) {
      try SystemCalls.sync(SystemCalls.openFile(marker.directory.text, for: .read))
    } catch {
      throw .couldNotMark(database, marker, error)
    }
  }

  /// Removes the marker, if it is set.
  package func clear() throws(FileError) {
    guard try isSet else { return }
    do throws(Errno) {
      try SystemCalls.remove(marker.text)
    } catch .notFound {
      return
    } catch {
      throw .couldNotRemove(marker, error)
    }
  }
}
