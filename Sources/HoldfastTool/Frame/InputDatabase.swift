import Foundation
import Holdfast
import HoldfastTransit

// How verbs open what they only read: the database stays as it is, byte for byte, and no file is
// left beside it.

extension DatabaseQueue {
  /// Opens a database that exists, for reading.
  convenience init(readingFileAt url: URL) throws {
    let path = url.path(percentEncoded: false)
    guard FileManager.default.fileExists(atPath: path) else {
      throw ToolError.noFile(url.relativePath)
    }
    guard !url.hasDirectoryPath else { throw ToolError.noDatabaseButFolder(url.relativePath) }

    var configuration = Configuration()
    configuration.readonly = try !Self.isLogAtRest(url)
    if !configuration.readonly {
      // SQLite would read it all the same, and leave the log's two files beside a protected file.
      guard Self.isWritable(url), Self.isWritable(url.deletingLastPathComponent()) else {
        throw ToolError.logWriteProtected(url.relativePath)
      }
      configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA query_only = 1") }
    }
    try self.init(path: path, configuration: configuration)
  }

  private static func isWritable(_ url: URL) -> Bool {
    FileManager.default.isWritableFile(atPath: url.path(percentEncoded: false))
  }

  /// Whether nobody has a write-ahead-log database open, as far as its files tell.
  ///
  /// A connection that may not write makes the log's two files and cannot remove them when it
  /// closes; one that may write removes them. Where they exist already, nothing must be removed.
  ///
  /// - SeeAlso: <https://www.sqlite.org/wal.html#read_only_databases>,
  ///   <https://www.sqlite.org/fileformat2.html#file_format_version_numbers>
  private static func isLogAtRest(_ url: URL) throws -> Bool {
    let path = url.path(percentEncoded: false)
    let isInUse = ["-wal", "-journal"].contains {
      FileManager.default.fileExists(atPath: path + $0)
    }
    guard !isInUse else { return false }
    // Read and closed before SQLite opens the file: closing it later would drop SQLite's locks.
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    let header = try file.read(upToCount: 20) ?? Data()
    try file.close()
    return header.count == 20 && header[19] == 2
  }
}

extension Timetable {
  /// Opens a timetable database that exists, for reading.
  init(readingFileAt url: URL) throws {
    try self.init(DatabaseQueue(readingFileAt: url))
  }
}
