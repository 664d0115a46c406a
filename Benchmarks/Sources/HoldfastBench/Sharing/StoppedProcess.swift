import Foundation
import Holdfast
import Synchronization

/// A test that stops a process, suspended during a transaction, and writes to its database.
struct StoppedProcess {
  /// The number of times the writer had to wait for a lock.
  let waitCount: Int

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "holdfast-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "stopped.db").path
    final class Waits: Sendable {
      let count = Atomic(0)
    }
    let waits = Waits()
    var configuration = Configuration()
    configuration.busyMode = .callback { _ in
      waits.count.wrappingAdd(1, ordering: .relaxed)
      return waits.count.load(ordering: .relaxed) < 1000
    }
    let pool = try DatabasePool(path: path, configuration: configuration)
    try pool.write { db in
      try db.execute(sql: "CREATE TABLE pair (number INTEGER, side TEXT, pad BLOB)")
    }
    let child = try ChildProcess(.suspend, path)
    defer { child.end() }
    guard try child.read(upToCount: 1) == Data([1]) else {
      throw BenchmarkError.usage("The child process was not suspended.")
    }
    child.send(SIGSTOP)
    for number in 0..<1000 {
      try pool.write { db in
        try db.execute(sql: "INSERT INTO pair VALUES (?, 'left', NULL)", arguments: [number])
      }
    }
    try pool.checkpoint(.truncate)
    waitCount = waits.count.load(ordering: .relaxed)
  }
}
