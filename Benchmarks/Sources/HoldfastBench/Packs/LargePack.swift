import Foundation
import HoldfastPacks

/// The installation of a large pack in a process of its own.
enum LargePack {
  /// Installs a large pack, and prints how much memory that took at most.
  static func install(_ path: String) throws {
    let app = try PackApp(at: URL(filePath: path))
    // Forgets what starting the process took.
    try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    let before = ProcessMemory.resident
    let report = try awaiting { try await app.install("large") }
    guard report.generation != nil else { throw BenchmarkError.childFailed(report.reason) }
    let line = "\(ProcessMemory.peak - before)\n"
    try FileHandle.standardOutput.write(contentsOf: Data(line.utf8))
  }
}
