import Foundation

/// The folder of the benchmarks' results and of what they keep from run to run: `.build/bench` of the
/// measured package.
enum BenchFolder {
  /// Returns the folder, or one in it, which is made if necessary.
  static func url(_ name: String = "") throws -> URL {
    // Benchmarks/Sources/HoldfastBench/BenchFolder.swift
    let root = (1...4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent()
    }
    let folder = root.appending(path: ".build/bench").appending(path: name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// Returns the archive of a feed, which is made once and kept.
  ///
  /// - Parameters:
  ///   - name: What is different for each feed and each version of it.
  ///   - write: A closure that writes the files.
  /// - Returns: The archive.
  /// - Throws: ``BenchmarkError`` when it cannot be written.
  static func archive(_ name: String, _ write: (FeedArchive) -> Void) throws -> URL {
    let folder = try url("feeds")
    let url = folder.appending(path: "\(name).zip")
    if FileManager.default.fileExists(atPath: url.path) { return url }
    let unfinished = folder.appending(path: "\(UUID().uuidString).unfinished")
    do {
      let archive = try FeedArchive(at: unfinished)
      write(archive)
      try archive.close()
      try FileManager.default.moveItem(at: unfinished, to: url)
    } catch {
      // It may not be there, and the first error is the one to know.
      try? FileManager.default.removeItem(at: unfinished)
      throw error
    }
    return url
  }

  /// A folder for temporary files in memory, where the system has one: it is as fast in each run.
  static var inMemory: URL {
    let memory = URL(filePath: "/dev/shm")
    return FileManager.default.isWritableFile(atPath: memory.path)
      ? memory : FileManager.default.temporaryDirectory
  }
}
