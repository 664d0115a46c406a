import CFloor
import Foundation
import Holdfast
import HoldfastFiles
import HoldfastLedger

/// A container with many files, and a database whose rows have the paths of an older container.
final class MovedContainer {
  private static let oldHome =
    "/var/mobile/Containers/Data/Application/ABC12345-0000-0000-0000-000000000000"

  /// The SQL that each connection to the database runs first.
  static let settings = "PRAGMA synchronous = NORMAL"

  let recordCount: Int
  private let folderCount: Int
  private let folder: URL

  private var template: URL { folder.appending(path: "template.db") }
  var home: URL { Self.home(in: folder) }

  private static func home(in folder: URL) -> URL {
    folder.appending(
      path: "Containers/Data/Application/11111111-0000-0000-0000-000000000000")
  }

  static func database(in folder: URL) -> URL { folder.appending(path: "app.db") }

  /// Creates the files and the rows.
  ///
  /// - Parameters:
  ///   - recordCount: The number of rows, each with a file.
  ///   - folderCount: The number of folders that they are in.
  /// - Throws: ``BenchmarkError``; `DatabaseError`.
  init(recordCount: Int, folderCount: Int) throws {
    self.recordCount = recordCount
    self.folderCount = folderCount
    folder = FileManager.default.temporaryDirectory.appending(path: "holdfast-\(UUID())")
    let container = Container(at: home)
    for root in [StorageRoot.documents, .caches, .applicationSupport] {
      try FileManager.default.createDirectory(
        at: container.url(for: root), withIntermediateDirectories: true)
    }
    try makeFiles(at: container.url(for: .documents))
    try makeRows()
  }

  deinit {
    // A million files are removed by a program for that.
    _ = try? Command.run(["rm", "-rf", folder.path])
  }

  private var filesPerFolder: Int { recordCount / folderCount }

  private func makeFiles(at documents: URL) throws {
    for number in 0..<folderCount {
      let book = documents.appending(path: "downloads/book_\(number)")
      try FileManager.default.createDirectory(at: book, withIntermediateDirectories: true)
      guard
        unsafe floor_make_files(
          book.path, Int64(number * filesPerFolder), Int64(filesPerFolder))
      else { throw BenchmarkError.floor("create files", message: book.path) }
    }
  }

  /// The rows of a book follow each other, as they do when its files were downloaded together; the
  /// books are in no order.
  private func makeRows() throws {
    let pool = try Self.pool(at: template)
    try pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE local_audio_file_downloads (
            audio_file_id TEXT PRIMARY KEY,
            is_downloaded BOOLEAN NOT NULL DEFAULT TRUE,
            download_path TEXT NOT NULL,
            downloaded_at TIMESTAMP NOT NULL,
            updated_at TIMESTAMP NOT NULL);
          """)
      try db.execute(
        sql: """
          WITH RECURSIVE number (n) AS (
            SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n + 1 < ?1),
          place (n, book) AS (SELECT n, (n / ?2 * 7919) % ?3 FROM number)
          INSERT INTO local_audio_file_downloads
          SELECT printf('file_%d', book * ?2 + n % ?2), 1,
            printf('%s/Documents/downloads/book_%d/%06d.m4b', ?4, book, book * ?2 + n % ?2),
            1700000000, 1700000000
          FROM place
          """, arguments: [recordCount, filesPerFolder, folderCount, Self.oldHome])
    }
    let ledger = Self.ledger(pool, home)
    try pool.write { db in try ledger.adopt(db) }
    try pool.checkpoint(.truncate)
    try pool.close()
  }

  private static func pool(at url: URL) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.prepareDatabase { db in try db.execute(sql: settings) }
    return try DatabasePool(path: url.path, configuration: configuration)
  }

  private static let table: LedgerTable = {
    var table = LedgerTable(
      name: "local_audio_file_downloads", idColumns: ["audio_file_id"], pathColumn: "download_path",
      dialect: .documentsAndCaches, stateColumn: "is_downloaded",
      locationColumn: "storage_location")
    table.lastAccessColumn = "last_accessed_at"
    table.movedToCacheColumn = "moved_to_cache_at"
    table.insertionTimeColumns = ["downloaded_at", "updated_at"]
    table.updateTimeColumn = "updated_at"
    table.ignoresMissingColumns = true
    return table
  }()

  private static func ledger(_ pool: DatabasePool, _ home: URL) -> FileLedger {
    FileLedger(pool, container: Container(at: home), table: table)
  }

  /// Opens the database of a container as an app does at its launch.
  static func launch(in folder: URL) throws -> (pool: DatabasePool, ledger: FileLedger) {
    let pool = try pool(at: database(in: folder))
    return (pool, ledger(pool, home(in: folder)))
  }

  /// Brings the rows back to the paths of the older container.
  private func reset() throws {
    let database = Self.database(in: folder)
    for suffix in ["", "-wal", "-shm"] {
      let path = database.path + suffix
      if FileManager.default.fileExists(atPath: path) {
        try FileManager.default.removeItem(atPath: path)
      }
    }
    try FileManager.default.copyItem(at: template, to: database)
    // The disk shall not be busy with the copy while a side is timed.
    let file = try FileHandle(forUpdating: database)
    try file.synchronize()
    try file.close()
  }

  /// A number for all paths in the table.
  private var digest: UInt64 {
    unsafe floor_texts_digest(
      Self.database(in: folder).path,
      "SELECT download_path FROM local_audio_file_downloads ORDER BY rowid")
  }

  // MARK: - The repair

  /// Repairs all rows; the time in milliseconds.
  var repair: Probe {
    Probe { [self] _ in
      try reset()
      let (pool, ledger) = try Self.launch(in: folder)
      let start = Stopwatch.wallTime
      let report = try ledger.repairAll()
      let time = (Stopwatch.wallTime - start) / 1e6
      try pool.close()
      guard report.rewritten == recordCount, report.isComplete else {
        throw BenchmarkError.wrongRepair("\(report.rewritten) of \(recordCount) rows")
      }
      return Reading(value: time, allocations: nil, proof: digest)
    }
  }

  /// Lists the folders and updates the rows in plain C; the time in milliseconds.
  var floor: Probe {
    Probe { [self] _ in
      try reset()
      let start = Stopwatch.wallTime
      let count = unsafe floor_repair(
        Self.database(in: folder).path, Self.settings, home.path)
      let time = (Stopwatch.wallTime - start) / 1e6
      guard count == recordCount else {
        throw BenchmarkError.floor("repair", message: "\(count) of \(recordCount) rows")
      }
      return Reading(value: time, allocations: nil, proof: digest)
    }
  }

  /// The greatest memory of a process that repairs all rows, in bytes.
  func repairMemory() throws -> Int {
    try reset()
    let words = try ChildProcess(.repair, folder.path).words()
    guard words.count == 2, Int(words[0]) == recordCount, let peak = Int(words[1]) else {
      throw BenchmarkError.childFailed(words.joined(separator: " "))
    }
    return peak
  }

  // MARK: - The check at launch

  /// Repairs all rows, after which nothing is due.
  private lazy var repaired = Lazy { [unowned self] in
    try reset()
    let (pool, ledger) = try Self.launch(in: folder)
    _ = try ledger.repairAll()
    try pool.close()
  }

  /// Opens the database and checks whether the container has moved; the time of the check in
  /// microseconds.
  var launchCheck: Probe {
    Probe { [self] _ in
      try repaired.value
      let (pool, ledger) = try Self.launch(in: folder)
      let (check, time) = try awaiting {
        let start = Stopwatch.wallTime
        let check = try await ledger.launchCheck()
        return (check, (Stopwatch.wallTime - start) / 1e3)
      }
      try pool.close()
      guard !check.isRepairDue, check.problem == nil else {
        throw BenchmarkError.wrongRepair("a repair is due again")
      }
      return Reading(value: time, allocations: nil, proof: 3)
    }
  }

  var launchCheckFloor: Probe {
    Probe { [self] _ in
      try repaired.value
      let floor = try Floor(path: Self.database(in: folder).path)
      try floor.execute(Self.settings)
      let container = Container(at: home)
      let roots = try [StorageRoot.documents, .caches, .applicationSupport].map {
        try container.url(for: $0).path
      }
      let start = Stopwatch.wallTime
      let found = try floor.launchCheck(roots)
      let time = (Stopwatch.wallTime - start) / 1e3
      return Reading(value: time, allocations: nil, proof: UInt64(found))
    }
  }

  /// The number of times that a check at launch reads a folder, as strace sees it.
  func directoryReads() throws -> Int {
    try repaired.value
    let trace = folder.appending(path: "launch.trace").path
    let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
    try Command.run([
      "strace", "-f", "-qq", "-e", "trace=getdents,getdents64,kill", "-e", "signal=none", "-o",
      trace, program, "--child", ChildWork.checkLaunch.rawValue, folder.path,
    ])
    let lines = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
    // The check lies between the two marks.
    let marks = lines.indices.filter { lines[$0].contains(" kill(") }
    guard marks.count == 2 else { throw BenchmarkError.notTraced() }
    return lines[marks[0]..<marks[1]].count { $0.contains("getdents") }
  }
}
