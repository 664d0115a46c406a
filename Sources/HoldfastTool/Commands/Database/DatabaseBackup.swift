import Foundation
import Holdfast
import HoldfastFiles

/// `holdfast db backup DB OUT [--replace]`.
struct DatabaseBackup: Verb {
  private let database = Argument(
    "DB", "Any SQLite database; other processes may write to it during the backup.", .path)
  private let copy = Argument("OUT", "The file to create.", .path)
  private let replace = Flag(
    "--replace", "Replaces OUT if it exists; it must not be open in any process.")

  var declaration: Declaration {
    Declaration(
      "backup",
      "Copies a consistent snapshot of a database, even while other processes write to it.",
      database,
      copy, replace, example: "harbour.db copy.db")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let copy = arguments[copy]
    try Self.checkPlace(of: copy, from: arguments[database], isReplaced: arguments[replace])
    let opened = try ReadDatabase(output.console) {
      try DatabaseQueue(readingFileAt: arguments[database])
    }
    let bytes = try await opened.read { queue in
      try Self.make(copy, of: queue, named: arguments[database], output)
    }
    try output.record(["output": .text(copy.relativePath), "bytes": Cell(bytes)])
    return .success
  }

  /// Writes the copy, replaces the destination in one step, and returns its length in bytes.
  private static func make(
    _ copy: URL, of queue: DatabaseQueue, named database: URL, _ output: Output
  ) throws -> Int? {
    try output.withProgress { bar in
      try AtomicReplace(at: copy).write { staging in
        let path = staging.path(percentEncoded: false)
        // SQLCipher copies only between databases that are both encrypted.
        var configuration = Configuration()
        try InputKey()?.apply(to: &configuration)
        let target = try DatabaseQueue(path: path, configuration: configuration)
        do {
          try queue.backup(to: target, pagesPerStep: 1000) { progress in
            try bar.show(
              Double(progress.completedPageCount) / Double(max(1, progress.totalPageCount)),
              "Copying \(database.lastPathComponent)")
          }
        } catch {
          target.closeIgnoringErrors()
          throw error
        }
        // The last connection to close checkpoints the write-ahead log into the file.
        try target.close()
        return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
      }
    }
  }

  /// Refuses a path where no copy can be created, before anything is read.
  private static func checkPlace(of copy: URL, from database: URL, isReplaced: Bool) throws {
    let path = copy.path(percentEncoded: false)
    try copy.checkIsPlaceForFile()
    // Checked before the copy is made, which may take long.
    let target = try FilePath(of: copy)
    if let companion = try DatabaseCompanion.found(at: target) {
      throw FileError.companion(companion, for: target)
    }
    try target.refuseLink()
    guard FileManager.default.fileExists(atPath: path) else { return }
    guard isReplaced else { throw ToolError.outputExists(copy.relativePath) }
    // Compared by identity, because a file may have several names.
    guard try identity(of: path) != identity(of: database.path(percentEncoded: false)) else {
      throw ToolError.backupOntoItself(copy.relativePath)
    }
  }

  private static func identity(of path: String) throws -> [Int?] {
    let resolved = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
    guard FileManager.default.fileExists(atPath: resolved) else { return [] }
    let attributes = try FileManager.default.attributesOfItem(atPath: resolved)
    return [attributes[.systemNumber] as? Int, attributes[.systemFileNumber] as? Int]
  }
}
