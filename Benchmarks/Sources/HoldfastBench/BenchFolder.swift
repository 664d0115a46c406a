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

  /// A folder for temporary files in memory, where the system has one: it is as fast in each run.
  static var inMemory: URL {
    let memory = URL(filePath: "/dev/shm")
    return FileManager.default.isWritableFile(atPath: memory.path)
      ? memory : FileManager.default.temporaryDirectory
  }
}
