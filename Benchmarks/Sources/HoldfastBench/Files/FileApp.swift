import Foundation
import Holdfast
import HoldfastDownloads
import HoldfastFiles
import HoldfastLedger

/// An app with a ledger, downloads and a lifecycle, in a folder; two objects are two launches.
struct FileApp {
  static let id = "book"
  static let content = Data((0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 251) })

  let container: Container
  let pool: DatabasePool
  let ledger: FileLedger

  var lifecycle: FileLifecycle { FileLifecycle(ledger) }

  init(at folder: URL) throws {
    container = Container(at: folder.appending(path: "home"))
    for root in [StorageRoot.documents, .caches, .applicationSupport] {
      try FileManager.default.createDirectory(
        at: container.url(for: root), withIntermediateDirectories: true)
    }
    pool = try DatabasePool(
      path: container.url(for: .applicationSupport).appending(path: "app.db").path)
    ledger = FileLedger(pool, container: container, table: .own())
  }

  func adopt() throws {
    let ledger = ledger
    try pool.write { db in try ledger.adopt(db) }
  }

  static func place(_ root: StorageRoot) throws -> RelocatablePath {
    try RelocatablePath(root, "downloads", "book.m4b")
  }

  /// Writes a file and its record.
  func add(_ content: Data, in root: StorageRoot) throws {
    let place = try Self.place(root)
    let url = try container.url(for: place)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try content.write(to: url)
    let (ledger, digest) = (ledger, try FileDigest(of: url))
    try pool.write { db in try ledger.record(db, RecordID(Self.id), at: place, digest: digest) }
  }

  var record: LedgerRecord? {
    get throws {
      let ledger = ledger
      return try pool.read { db in try ledger.record(db, RecordID(Self.id)) }
    }
  }

  /// The content of the file at a path; `nil` when there is none.
  func content(at path: RelocatablePath) throws -> Data? {
    let url = try container.url(for: path)
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    return try Data(contentsOf: url)
  }

  /// The names of files in a root, unless they are the database's.
  func names(in root: StorageRoot) throws -> [String] {
    let folder = try container.url(for: root).resolvingSymlinksInPath()
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return (names ?? []).filter { $0.hasSuffix(".m4b") || $0.hasSuffix(".moving") }.sorted()
  }

  // MARK: - Downloads

  func downloader() async throws -> Downloader {
    var configuration = Downloader.Configuration()
    configuration.rangeByteCount = 600
    configuration.freeSpaceReserve = 0
    configuration.retryPolicy.firstDelay = .milliseconds(1)
    let ledger = ledger
    return try await Downloader(in: container, configuration: configuration) { file in
      try await ledger.record(file)
    }
  }

  static func request(_ url: URL, isForced: Bool) throws -> DownloadRequest {
    var request = DownloadRequest(id: id, from: url, to: try place(.documents))
    request.isForced = isForced
    return request
  }

  /// The names of the parts and entries of downloads.
  var remains: [String] {
    get throws {
      let folder = try container.url(
        for: RelocatablePath(.applicationSupport, "Downloads in progress"))
      guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
      return try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { $0 != ".downloads.lock" }
    }
  }
}
