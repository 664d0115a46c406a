import Foundation
import HoldfastFiles

/// The folder of a downloader: a journal entry and a part for each download that is not recorded.
///
/// An entry `<key>.json` is written before the part `<key>.part`, and removed after it. Other files
/// in the folder are left as they are.
struct DownloadFolder: Sendable {
  let path: FilePath

  func part(_ key: DownloadKey) -> FilePath { path.appending(["\(key).part"]) }

  func entry(_ key: DownloadKey) -> FilePath { path.appending(["\(key).json"]) }

  /// The content that the system has fetched, before it becomes the part.
  func handed(_ key: DownloadKey) -> FilePath { path.appending(["\(key).handed"]) }

  /// The name of an entry that is being written; a killed process leaves it.
  private func draft(_ key: DownloadKey) -> FilePath { path.appending([".\(key).json.new"]) }

  var lock: FilePath { path.appending([".downloads.lock"]) }

  // MARK: Entries

  /// Writes an entry in one step.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - key: Its key.
  ///   - isDurable: Whether it survives a power loss from now on. One that does not may be lost
  ///     with its part, which only costs the bytes received.
  /// - Throws: `DownloadError` with `.file` or `.noSpace`.
  func write(
    _ entry: JournalEntry, for key: DownloadKey, isDurable: Bool
  ) throws(DownloadError) {
    guard let bytes = entry.text.map({ Array($0.utf8) }) else {
      throw .file("written", self.entry(key), .invalidArgument)
    }
    let draft = draft(key)
    try perform("written", self.entry(key)) { () throws(Errno) in
      // There is one if a process was killed while it wrote the entry.
      try SystemCalls.removeIfPresent(draft.text)
      let file = try SystemCalls.openFile(draft.text, for: .createNew)
      try SystemCalls.writeBytes(file, bytes, count: bytes.count)
      if isDurable { try SystemCalls.sync(file) }
      try file.close()
      try SystemCalls.move(draft.text, to: self.entry(key).text)
      if isDurable { try sync(path) }
    }
  }

  /// Returns the entry of a download; `nil` when there is none, or none that can be understood.
  func readEntry(_ key: DownloadKey) throws(DownloadError) -> JournalEntry? {
    let path = entry(key)
    var bytes: [UInt8]?
    do throws(Errno) {
      let file = try SystemCalls.openFile(path.text, for: .readPlain)
      let status = try SystemCalls.status(of: file)
      // An entry has some hundred bytes.
      if status.kind == .regular, status.byteCount < 1 << 20 {
        bytes = try SystemCalls.readBytes(file, at: 0, count: Int(status.byteCount))
      }
    } catch .notFound {
      return nil
    } catch {
      throw .file("read", path, error)
    }
    // An entry that cannot be understood belongs to a part that cannot be continued.
    guard let bytes, let entry = JournalEntry(text: String(decoding: bytes, as: UTF8.self)),
      DownloadKey(id: entry.id) == key
    else { return nil }
    return entry
  }

  // MARK: Files

  /// Removes the part first, so that no part is without an entry.
  func remove(_ key: DownloadKey) throws(DownloadError) {
    for path in [part(key), entry(key), draft(key)] { try remove(at: path) }
  }

  func removeEntry(_ key: DownloadKey) throws(DownloadError) {
    try remove(at: entry(key))
  }

  func removePart(_ key: DownloadKey) throws(DownloadError) {
    try remove(at: part(key))
  }

  /// Removes a file of this module, if it exists.
  func remove(at path: FilePath) throws(DownloadError) {
    try perform("removed", path) { () throws(Errno) in
      try SystemCalls.removeIfPresent(path.text)
    }
  }

  /// Returns the status of a part; `nil` when there is none.
  func statusOfPart(_ key: DownloadKey) throws(DownloadError) -> FileStatus? {
    do throws(Errno) {
      return try SystemCalls.linkStatus(of: part(key).text)
    } catch .notFound {
      return nil
    } catch {
      throw .file("examined", part(key), error)
    }
  }

  /// The names of the downloads' files in the folder.
  struct Contents {
    var keys: Set<String> = []
    /// Files of this module that are of no use: drafts, parts without an entry, and content of the
    /// system that became no part.
    var remains: [String] = []
  }

  /// Lists the downloads, and what killed processes have left.
  func contents() throws(DownloadError) -> Contents {
    var parts: Set<String> = []
    var contents = Contents()
    try perform("listed", path) { () throws(Errno) in
      var folder = try OpenDirectory(path.text)
      while let entry = try folder.next() {
        guard let name = entry.name else { continue }
        if let key = Self.key(of: name, prefix: "", suffix: ".json") {
          contents.keys.insert(key)
        } else if let key = Self.key(of: name, prefix: "", suffix: ".part") {
          parts.insert(key)
        } else if Self.key(of: name, prefix: ".", suffix: ".json.new") != nil
          || Self.key(of: name, prefix: "", suffix: ".handed") != nil
        {
          contents.remains.append(name)
        }
      }
    }
    contents.remains += parts.subtracting(contents.keys).map { $0 + ".part" }
    contents.remains.sort()
    return contents
  }

  /// Removes a file that ``contents()`` has listed.
  func remove(named name: String) throws(DownloadError) {
    try remove(at: path.appending([name]))
  }

  /// The key in a name; `nil` for a name that this module does not make.
  private static func key(of name: String, prefix: String, suffix: String) -> String? {
    guard name.utf8.starts(with: prefix.utf8), name.hasSuffix(suffix) else { return nil }
    let key = String(name.dropFirst(prefix.count).dropLast(suffix.count))
    let isKey =
      key.utf8.count == 32
      && key.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
      }
    return isKey ? key : nil
  }

  /// Makes the names in a folder durable.
  func sync(_ folder: FilePath) throws(Errno) {
    try SystemCalls.syncDirectory(folder.text)
  }

  private func perform<Value>(
    _ operation: String, _ path: FilePath, _ body: () throws(Errno) -> Value
  ) throws(DownloadError) -> Value {
    do throws(Errno) {
      return try body()
    } catch {
      throw .file(operation, path, error)
    }
  }
}
