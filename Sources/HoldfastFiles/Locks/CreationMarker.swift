/// A marker next to a database that is being created, so that it is not taken for a complete one.
///
/// It is set before the database has any content and cleared when the creator is done. So where there is
/// content, and after that no marker, the database is complete. It stays when the creator is killed,
/// until the next one is done. Another stage marks a complete database whose log's files are being made.
///
/// The marker is a symbolic link without a target: one system call creates it together with its
/// text, which identifies it. Anything else with its name is left as it is.
package struct CreationMarker: Sendable {
  /// The work on the database; the text of the link.
  package enum Stage: String, Sendable {
    /// It is not complete.
    case creation = "holdfast: this database is being created"
    /// It is complete, and its log is being turned on.
    case opening = "holdfast: this database is being opened"
  }

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
    marker = target.sibling("." + target.name + ".creating")
  }

  /// The work on the database, or the work during which its process ended; `nil` when the marker is
  /// not set.
  package var stage: Stage? {
    get throws(FileError) {
      do throws(Errno) {
        return Stage(rawValue: try SystemCalls.linkText(of: marker.text))
      } catch .notFound, .notDirectory, .invalidArgument, .illegalBytes {
        return nil
      } catch {
        throw .couldNotRead(marker, error)
      }
    }
  }

  /// Sets the marker, in place of one of another stage.
  ///
  /// On a volume without symbolic links it is not set.
  ///
  /// - Throws: ``FileError`` when something else has its name, or the system refuses the call.
  package func set(_ stage: Stage) throws(FileError) {
    if let other = try self.stage, other != stage { try clear() }
    do throws(Errno) {
      try SystemCalls.makeLink(marker.text, to: stage.rawValue)
    } catch .alreadyExists {
      guard try self.stage == stage else {
        throw .couldNotMark(database, marker, .alreadyExists)
      }
    } catch .notPermitted, .notSupported, .notImplemented {
      // Readers may then see the database before it is complete.
      return
    } catch {
      throw .couldNotMark(database, marker, error)
    }
  }

  /// Makes the marker durable; otherwise a power loss could leave content without it.
  package func sync() throws(FileError) {
    do throws(Errno) {
      try SystemCalls.syncDirectory(marker.directory.text)
    } catch {
      throw .couldNotMark(database, marker, error)
    }
  }

  /// Removes the marker, if it is set.
  package func clear() throws(FileError) {
    guard try stage != nil else { return }
    try marker.removeIfPresent()
  }
}
