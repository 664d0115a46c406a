import Foundation
import HoldfastFiles

/// A file that contains a style document.
struct StyleFile {
  let path: FilePath

  /// Writes a document, unless the file has the same content already.
  ///
  /// The exclusion from backups is set again in either case, because copying a file or restoring a
  /// backup drops it.
  func write(
    _ document: Data
  ) throws -> (isWritten: Bool, isExcludedFromBackup: Bool) {
    if contents() == document { return (false, excludeFromBackup()) }
    try path.directory.createDirectory()
    do {
      try replace(with: document, excluded: true)
      return (true, true)
    } catch let error as FileError where error.code == .unsupported {
      // A document that is backed up is better than a map without one.
      try replace(with: document, excluded: false)
      return (true, false)
    }
  }

  private func replace(with document: Data, excluded: Bool) throws {
    // Without a lock: the appearance changes just when the system suspends an app. Two threads or
    // processes that set up the same map write the same document.
    let replacement = AtomicReplace(
      at: path.url, attributes: FileAttributes(isExcludedFromBackup: excluded))
    try replacement.writeWithoutLock { staging in
      let staging = try FilePath(of: staging)
      do throws(Errno) {
        let file = try SystemCalls.openFile(staging.text, for: .createNew)
        try SystemCalls.writeBytes(file, Array(document), count: document.count)
        try file.close()
      } catch {
        throw FileError.couldNotReplace(path, error)
      }
    }
  }

  /// Returns the content of a plain file; `nil` for anything else.
  private func contents() -> Data? {
    // An unreadable file is written again, which reports why it cannot be.
    guard let status = try? SystemCalls.status(of: path.text), status.kind == .regular else {
      return nil
    }
    // As above.
    return try? Data(contentsOf: path.url)
  }

  private func excludeFromBackup() -> Bool {
    do throws(FileError) {
      try FileAttributes(isExcludedFromBackup: true).ensure(on: path.url)
      return true
    } catch _ {
      // The document is usable, and the result says that it is not excluded.
      return false
    }
  }

  static func digest(of document: Data) -> SHA256Digest {
    var hasher = SHA256()
    hasher.update(document)
    return hasher.finalize()
  }

  // MARK: - Legacy documents

  /// Removes the style documents of older versions, as far as possible.
  ///
  /// - Returns: The documents that were removed.
  static func removeLegacy(_ urls: [URL]) -> [URL] {
    urls.filter { url in
      // Cleaning up must not keep the map from being shown; it is tried again at the next launch.
      guard let path = try? FilePath(of: url), isStyle(path) else { return false }
      return (try? SystemCalls.remove(path.text)) != nil
    }
  }

  /// Returns whether a file itself, not the target of a link, is a style document.
  private static func isStyle(_ path: FilePath) -> Bool {
    let limit = 16 << 20
    // An unreadable file is not known to be a style document, and stays.
    guard let status = try? SystemCalls.linkStatus(of: path.text), status.kind == .regular,
      status.byteCount <= limit, let data = try? Data(contentsOf: path.url),
      // As above.
      let root = try? JSONDocument(Array(data)).root
    else { return false }
    return root["version"] != nil && root["sources"]?.isObject == true
      && root["layers"]?.isArray == true
  }
}
