import Foundation

/// A file that SQLite or this package keeps next to a database, found by names and `stat` alone.
///
/// No file is opened: opening and closing a file of a database that this process has open would
/// release its locks.
///
/// - SeeAlso: <https://sqlite.org/tempfiles.html>
package struct DatabaseCompanion: Sendable {
  /// The purpose of a companion.
  package enum Kind: String, Hashable, Sendable, CustomStringConvertible {
    case writeAheadLog = "write-ahead log"
    case sharedMemory = "shared memory"
    case journal = "rollback journal"
    case superJournal = "super-journal"
    case signal = "signal"

    package var description: String { rawValue }
  }

  package let kind: Kind

  /// The database that it belongs to.
  package let database: FilePath

  private static let endings: [(text: String, kind: Kind)] = [
    ("-wal", .writeAheadLog), ("-shm", .sharedMemory), ("-journal", .journal), ("-signal", .signal),
  ]

  /// The number of symbolic links that are followed; the same as the system's.
  private static let linkLimit = 40

  /// Creates a companion if the name ends like one, in any letter case, because some volumes are
  /// not case-sensitive.
  package init?(named path: FilePath) {
    let name = path.name.utf8
    guard let (kind, count) = Self.ending(of: name.map(Self.lowercased)),
      count < name.count
    else { return nil }
    self.kind = kind
    // The endings are ASCII, so what is before them is still UTF-8.
    database = FilePath(String(decoding: path.text.utf8.dropLast(count), as: UTF8.self))
  }

  /// Returns the kind of companion that a lowercase name ends with, and the ending's length in
  /// bytes.
  private static func ending(of name: [UInt8]) -> (Kind, Int)? {
    for ending in endings where name.suffix(ending.text.utf8.count).elementsEqual(ending.text.utf8)
    {
      return (ending.kind, ending.text.utf8.count)
    }
    // "-mj%06X9%02X" in `pager.c` and `vdbeaux.c`.
    let count = 12
    let superJournal = name.suffix(count)
    guard superJournal.count == count, superJournal.starts(with: "-mj".utf8),
      superJournal.dropFirst(3).allSatisfy(isHexadecimal),
      superJournal[superJournal.endIndex - 3] == UInt8(ascii: "9")
    else { return nil }
    return (.superJournal, count)
  }

  /// The letter in lower case; no letter beyond ASCII has one of those that the endings have.
  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
  }

  /// Returns the companion that is or would be created at a path, under any of its names.
  ///
  /// Symbolic links are followed. Hard links are found in the path's own folder.
  ///
  /// - Returns: `nil` when the path does not belong to a companion of an existing file.
  package static func found(at path: FilePath) throws(FileError) -> DatabaseCompanion? {
    try found(at: path, status(of: path))
  }

  /// Returns the companion at a path, given the status of the path itself.
  static func found(
    at path: FilePath, _ status: FileStatus?
  ) throws(FileError) -> DatabaseCompanion? {
    var (path, status) = (path, status)
    for _ in 0...linkLimit {
      if let companion = try named(path) { return companion }
      guard let present = status else { return nil }
      switch present.kind {
      case .symbolicLink:
        path = try target(of: path)
        status = try Self.status(of: path)
      case .regular where present.linkCount > 1:
        return try otherName(of: present, nextTo: path)
      case .regular, .directory, .other:
        return nil
      }
    }
    // A link without a target leads to no companion.
    return nil
  }

  /// Returns the companion with a name, if the database of that name exists.
  static func named(_ path: FilePath) throws(FileError) -> DatabaseCompanion? {
    guard let companion = DatabaseCompanion(named: path) else { return nil }
    do throws(Errno) {
      let isFile = try SystemCalls.status(of: companion.database.text).kind == .regular
      return isFile ? companion : nil
    } catch {
      if [.notFound, .notDirectory, .tooManyLinks].contains(error) { return nil }
      throw .couldNotRead(companion.database, error)
    }
  }

  private static func otherName(
    of file: FileStatus, nextTo path: FilePath
  ) throws(FileError) -> DatabaseCompanion? {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path.directory.text)
    } catch _ {
      // A folder that may not be listed reveals no names.
      return nil
    }
    for name in names {
      let other = path.sibling(name)
      guard let companion = try named(other), let status = try status(of: other),
        status.isSameFile(as: file)
      else { continue }
      return companion
    }
    return nil
  }

  private static func status(of path: FilePath) throws(FileError) -> FileStatus? {
    do throws(Errno) {
      return try SystemCalls.linkStatus(of: path.text)
    } catch {
      if [.notFound, .notDirectory].contains(error) { return nil }
      throw .couldNotRead(path, error)
    }
  }

  private static func target(of link: FilePath) throws(FileError) -> FilePath {
    do throws(Errno) {
      let target = try SystemCalls.linkText(of: link.text)
      let isAbsolute = target.utf8.first == UInt8(ascii: "/")
      return isAbsolute ? FilePath(target) : link.sibling(target)
    } catch {
      throw .couldNotRead(link, error)
    }
  }
}
