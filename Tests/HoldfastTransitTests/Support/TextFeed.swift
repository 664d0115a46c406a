import Foundation

/// The text files of a feed, as they are.
struct TextFeed {
  /// The bytes of each file, by its name.
  var files: [String: Data]

  /// Creates a feed from texts.
  init(_ texts: [String: String]) {
    files = texts.mapValues { Data($0.utf8) }
  }

  /// Reads the text files in a folder.
  init(folder: URL) throws {
    files = [:]
    let urls = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    for url in urls where url.pathExtension == "txt" {
      files[url.lastPathComponent] = try Data(contentsOf: url)
    }
  }

  /// Unpacks an archive by Python's `zipfile`, and reads the text files next to its `stops.txt`.
  ///
  /// - Parameters:
  ///   - archive: The archive.
  ///   - directory: An empty folder for its files.
  /// - Throws: ``TextFeedError`` when the archive cannot be unpacked, or has not one `stops.txt`.
  init(unpacking archive: URL, into directory: URL) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-m", "zipfile", "-e", archive.path, directory.path]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw TextFeedError(message: "\(archive.lastPathComponent) cannot be unpacked.")
    }
    let paths = try FileManager.default.subpathsOfDirectory(atPath: directory.path)
    let stops = paths.filter { $0 == "stops.txt" || $0.hasSuffix("/stops.txt") }
    guard stops.count == 1 else {
      throw TextFeedError(
        message: "\(archive.lastPathComponent) has \(stops.count) files stops.txt.")
    }
    try self.init(folder: directory.appending(path: stops[0]).deletingLastPathComponent())
  }

  /// Returns some columns of a file; no rows where the feed has no such file.
  func rows(_ name: String, _ columns: String...) -> [[String]] {
    TextTable(files[name] ?? Data(), columns: columns).rows
  }
}

/// An error for a feed whose text files cannot be used.
struct TextFeedError: Error {
  let message: String
}
