import Foundation
import Holdfast
import HoldfastFiles

/// The place of an exported feed: its name, and the folder in which it is written before it has it.
///
/// The folder lies next to the output, so that giving the name is one step. One that a killed export
/// has left is removed by the next export to the same name. A folder with a file that neither GTFS nor the
/// exported feed has may be a user's, and is left as it is.
struct ExportPlace {
  let target: FilePath
  private let isArchive: Bool
  private let replaces: Bool

  /// The folder in which the files are written.
  var folder: FilePath { target.sibling(".\(target.name).export") }

  /// The archive, before it has its name.
  private var archive: FilePath { folder.appending([Self.archiveName]) }

  private static let archiveName = "feed.zip"

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
  /// - Throws: ``FeedError`` with `.foreignOutput` when the output may not be replaced, or a user's file
  ///   is in the folder; `FileError`.
  func begin(writing names: [String]) throws {
    try checkTarget(Set(names.map(ExactText.init)))
    try removeFolder(writing: names)
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
      found.allSatisfy({ names.contains(ExactText($0)) || FeedCatalog.known($0) != nil })
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

  /// Returns the names in the output; `nil` when not all are files, or not all are UTF-8.
  private func namesInFolder() throws -> [String]? {
    do throws(Errno) {
      guard let names = try Self.names(in: target) else { return nil }
      for name in names
      where try SystemCalls.linkStatus(of: target.appending([name]).text).kind != .regular {
        return nil
      }
      return names
    } catch {
      throw FileError.couldNotRead(target, error)
    }
  }

  /// Returns the names in a folder; `nil` when one is not UTF-8, which is no file of a feed.
  private static func names(in folder: FilePath) throws(Errno) -> [String]? {
    var names: [String] = []
    var directory = try OpenDirectory(folder.text, followsLink: false)
    while let entry = try directory.next() {
      guard let name = entry.name else { return nil }
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

  /// Removes the folder, unless it has a file that an export does not write.
  ///
  /// - Parameter names: The names of the files of the export.
  /// - Throws: ``FeedError`` with `.foreignOutput` when there is such a file, and nothing is removed;
  ///   `FileError`.
  func removeFolder(writing names: [String]) throws {
    let exported = Set(names.map(ExactText.init))
    let listed: [String]?
    do throws(Errno) {
      listed = try Self.names(in: folder)
    } catch .notFound {
      return
    } catch {
      throw FileError.couldNotRemove(folder, error)
    }
    guard let found = listed, found.allSatisfy({ Self.isWritten($0, by: exported) }) else {
      throw FeedError.foreignExport(folder.name, isFolder: true)
    }
    do throws(Errno) {
      for name in found { try SystemCalls.remove(folder.appending([name]).text) }
      try SystemCalls.removeDirectory(folder.text)
    } catch .notFound {
      return
    } catch {
      throw FileError.couldNotRemove(folder, error)
    }
  }

  /// Returns whether an export, or one that was killed, can have written a file of that name in the
  /// folder.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - names: The names of the files of the export, some of which GTFS does not define.
  /// - Returns: Whether the file may be removed.
  static func isWritten(_ name: String, by names: Set<ExactText>) -> Bool {
    if names.contains(ExactText(name)) || FeedCatalog.known(name) != nil { return true }
    guard name.hasPrefix(archiveName) else { return false }
    // libzip writes next to an archive: "%s.XXXXXX", with letters and digits.
    let ending = name.utf8.dropFirst(archiveName.utf8.count)
    return ending.isEmpty
      || ending.count == 7 && ending.first == UInt8(ascii: ".")
        && name.suffix(6).allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }
}
