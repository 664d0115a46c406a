import Foundation
import Holdfast
import HoldfastFiles

/// The place of an exported feed: its name, and the folder in which it is written before it has it.
///
/// The folder lies next to the output, so that giving the name is one step. One that a killed export
/// has left is removed by the next export to the same name.
struct ExportPlace {
  let target: FilePath
  private let isArchive: Bool
  private let replaces: Bool

  /// The folder in which the files are written.
  var folder: FilePath { target.sibling(".\(target.name).export") }

  /// The archive, before it has its name.
  private var archive: FilePath { folder.appending(["feed.zip"]) }

  init(_ output: URL, isArchive: Bool, replaces: Bool) throws {
    target = try FilePath(of: output)
    (self.isArchive, self.replaces) = (isArchive, replaces)
  }

  /// Takes the lock with which of several exports to the same name only one is at work.
  func lock() throws(FileError) -> FileLock {
    try FileLock(target.sibling(".\(target.name).lock"), guarding: target, waitingUpTo: .zero)
  }

  /// Checks the output, and makes the folder.
  ///
  /// - Parameter names: The names of the files to write.
  /// - Throws: ``FeedError`` with `.foreignOutput`; `FileError`.
  func begin(writing names: [String]) throws {
    try checkTarget(Set(names.map(ExactText.init)))
    try removeFolder()
    do throws(Errno) {
      try SystemCalls.makeDirectory(folder.text)
    } catch {
      throw FileError.couldNotWrite(target, error)
    }
  }

  /// Refuses an output that exists and may not be replaced.
  private func checkTarget(_ names: Set<ExactText>) throws {
    if let companion = try DatabaseCompanion.found(at: target) {
      throw FileError.companion(companion, for: target)
    }
    let kind: FileStatus.Kind
    do throws(Errno) {
      kind = try SystemCalls.linkStatus(of: target.text).kind
    } catch .notFound {
      return
    } catch {
      throw FileError.couldNotWrite(target, error)
    }
    guard replaces else { throw FeedError.exportExists(target.name) }
    guard kind == (isArchive ? .regular : .directory),
      let found = isArchive ? try namesInArchive() : try namesInFolder(),
      found.contains(where: FeedCatalog.marks),
      found.allSatisfy({ names.contains(ExactText($0)) || FeedCatalog.isKnownText($0) })
    else { throw FeedError.foreignExport(target.name, isFolder: !isArchive) }
  }

  /// Returns the paths in the output; `nil` when it is no archive, but a user's file of that name.
  private func namesInArchive() throws -> [String]? {
    do throws(FeedError) {
      return try ZipArchive(at: target.url).entries.map(\.path)
    } catch {
      guard [.notAFeed, .damaged].contains(error.code) else { throw error }
      return nil
    }
  }

  /// Returns the names in the output; `nil` when not all are files.
  private func namesInFolder() throws -> [String]? {
    do throws(Errno) {
      let names = try Self.names(in: target)
      for name in names
      where try SystemCalls.linkStatus(of: target.appending([name]).text).kind != .regular {
        return nil
      }
      return names
    } catch {
      throw FileError.couldNotWrite(target, error)
    }
  }

  private static func names(in folder: FilePath) throws(Errno) -> [String] {
    var names: [String] = []
    var directory = try OpenDirectory(folder.text, followsLink: false)
    while let entry = try directory.next() {
      // A name that is not UTF-8 is no file of a feed.
      guard let name = entry.name else { throw .illegalBytes }
      names.append(name)
    }
    return names
  }

  /// Writes the archive of files in the folder.
  func writeArchive(_ names: [String], progress: @escaping (Double) throws -> Void) throws {
    let files = names.map { (name: $0, path: folder.appending([$0]).text) }
    try ZipWriter.write(files, to: archive.text, named: target, progress: progress)
  }

  /// Gives the result its name in one step, durably.
  ///
  /// - Returns: The size of the archive; 0 for a folder.
  func publish() throws -> Int64 {
    var size: Int64 = 0
    do throws(Errno) {
      let source = isArchive ? archive : folder
      if isArchive {
        let file = try SystemCalls.openFile(source.text, for: .readPlain)
        try SystemCalls.sync(file)
        size = try SystemCalls.status(of: file).byteCount
      } else {
        try SystemCalls.syncDirectory(source.text)
      }
      if !replaces {
        try SystemCalls.moveExclusively(source.text, to: target.text)
      } else if isArchive {
        try SystemCalls.move(source.text, to: target.text)
      } else {
        do throws(Errno) {
          try SystemCalls.moveExclusively(source.text, to: target.text)
        } catch .alreadyExists {
          try SystemCalls.exchange(source.text, with: target.text)
        }
      }
    } catch .alreadyExists {
      throw FeedError.exportExists(target.name)
    } catch {
      throw FileError.couldNotWrite(target, error)
    }
    do throws(Errno) {
      try SystemCalls.syncDirectory(target.directory.text)
    } catch {
      throw FileError.notDurable(target, error)
    }
    return size
  }

  /// Removes the folder with the files that an export writes; others are left, and refused.
  func removeFolder() throws(FileError) {
    do throws(Errno) {
      for name in try Self.names(in: folder) {
        try SystemCalls.remove(folder.appending([name]).text)
      }
      try SystemCalls.removeDirectory(folder.text)
    } catch .notFound {
      return
    } catch {
      throw .couldNotRemove(folder, error)
    }
  }
}
