import Foundation
import Holdfast
import HoldfastDownloads
import HoldfastFiles
import HoldfastLedger

/// The work with files of the processes that a benchmark starts, each in a folder.
enum FileWork {
  /// A call that is seen in a trace and does nothing else.
  private static func mark() {
    kill(getpid(), 0)
  }

  private static func output(_ words: Any...) throws {
    let line = words.map { "\($0)" }.joined(separator: " ") + "\n"
    try FileHandle.standardOutput.write(contentsOf: Data(line.utf8))
  }

  /// The text of a file in the folder, by which a process learns what it needs.
  private static func text(_ name: String, in folder: URL) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  static func url(in folder: URL) throws -> URL {
    guard let url = URL(string: try text("url", in: folder)) else {
      throw BenchmarkError.childFailed("there is no address in \(folder.path)")
    }
    return url
  }

  // MARK: - Repair

  static func repair(_ path: String) throws {
    let (pool, ledger) = try MovedContainer.launch(in: URL(filePath: path))
    let report = try ledger.repairAll()
    try pool.close()
    try output(report.rewritten, ProcessMemory.peak)
  }

  static func checkLaunch(_ path: String) throws {
    let (pool, ledger) = try MovedContainer.launch(in: URL(filePath: path))
    let check = try awaiting {
      mark()
      let check = try await ledger.launchCheck()
      mark()
      return check
    }
    guard !check.isRepairDue else { throw BenchmarkError.wrongRepair("a repair is due again") }
    try pool.close()
  }

  // MARK: - Work that is killed

  static func completeDownload(_ path: String, isForced: Bool) throws {
    let folder = URL(filePath: path)
    let request = try FileApp.request(url(in: folder), isForced: isForced)
    mark()
    let app = try FileApp(at: folder)
    try awaiting {
      let downloader = try await app.downloader()
      _ = try await downloader.start(request).value()
      await downloader.close()
    }
    try app.pool.close()
  }

  static func move(_ path: String, to root: StorageRoot) throws {
    mark()
    let app = try FileApp(at: URL(filePath: path))
    try awaiting { _ = try await app.lifecycle.move(RecordID(FileApp.id), to: root) }
    try app.pool.close()
  }

  // MARK: - A large file

  static func downloadLargeFile(_ path: String) throws {
    let folder = URL(filePath: path)
    var request = DownloadRequest(
      id: FileApp.id, from: try url(in: folder), to: try FileApp.place(.documents))
    request.expectedSHA256 = SHA256Digest(try text("sha256", in: folder))
    let container = Container(at: folder.appending(path: "home"))
    // Forgets what starting the process took.
    try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    let before = ProcessMemory.resident
    let file = try awaiting { [request] in
      let downloader = try await Downloader(in: container) { _ in }
      let file = try await downloader.start(request).value()
      await downloader.close()
      return file
    }
    try output(file.sha256?.description ?? "none", ProcessMemory.peak - before)
  }
}
