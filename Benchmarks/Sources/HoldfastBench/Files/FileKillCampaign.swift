import CTracer
import Foundation
import Holdfast
import HoldfastDownloads
import HoldfastFiles
import HoldfastLedger

/// A campaign that kills a process at each call of a download or of a move, and examines what the
/// next launch makes of it.
struct FileKillCampaign {
  /// What the process does.
  enum Work: CaseIterable {
    case download, forcedDownload, move, moveToOtherVolume

    var child: ChildWork {
      switch self {
      case .download: .completeDownload
      case .forcedDownload: .completeForcedDownload
      case .move: .moveToCaches
      case .moveToOtherVolume: .moveToDocuments
      }
    }

    var name: String {
      switch self {
      case .download: "download"
      case .forcedDownload: "replacing download"
      case .move: "move"
      case .moveToOtherVolume: "move between volumes"
      }
    }
  }

  /// The number of kills after which a record has no file, a file no record, or something is left.
  private(set) var violationCount = 0

  /// The number of kills.
  private(set) var killCount = 0

  private static let old = Data("old".utf8)

  private let work: Work
  private let base: TemporaryDirectory
  private let otherVolume: TemporaryDirectory
  private let address: String
  private var template: URL { base.url.appending(path: "template") }

  /// Runs a campaign.
  ///
  /// - Parameters:
  ///   - work: What the process does.
  ///   - url: The address of a file with the content of ``FileApp``.
  ///   - killCount: The number of calls to kill it at, evenly distributed; `nil` for each one.
  /// - Throws: ``BenchmarkError``; `DatabaseError`.
  init(_ work: Work, from url: URL, killCount: Int?) throws {
    self.work = work
    // In memory, where syncing costs nothing.
    base = try TemporaryDirectory(in: TemporaryDirectory.volumes.last ?? URL(filePath: "/"))
    otherVolume = try TemporaryDirectory()
    address = url.absoluteString
    try makeTemplate()
    let runs = try InterruptedRuns(work.name, count: killCount, run: run)
    (self.killCount, violationCount) = (runs.stateCount, runs.violationCount)
  }

  private func makeTemplate() throws {
    try makeCaches(in: template)
    let app = try FileApp(at: template)
    try app.adopt()
    switch work {
    case .download: break
    case .forcedDownload: try app.add(Self.old, in: .documents)
    case .move: try app.add(FileApp.content, in: .documents)
    case .moveToOtherVolume: try app.add(FileApp.content, in: .caches)
    }
    try app.pool.checkpoint(.truncate)
    try app.pool.close()
    try Data(address.utf8).write(to: template.appending(path: "url"))
  }

  /// Puts the caches on another volume, if the work needs that.
  private func makeCaches(in folder: URL) throws {
    guard work == .moveToOtherVolume else { return }
    let library = folder.appending(path: "home/Library")
    let place = otherVolume.url.appending(path: folder.lastPathComponent)
    try FileManager.default.createDirectory(at: library, withIntermediateDirectories: true)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: library.appending(path: "Caches"), withDestinationURL: place)
  }

  /// Returns a folder as the process finds it.
  private func prepare(_ number: Int64) throws -> URL {
    let folder = base.url.appending(path: "run-\(number)")
    try FileManager.default.copyItem(at: template, to: folder)
    guard work == .moveToOtherVolume else { return folder }
    try FileManager.default.removeItem(at: folder.appending(path: "home/Library/Caches"))
    let place = otherVolume.url.appending(path: folder.lastPathComponent)
    try FileManager.default.copyItem(
      at: otherVolume.url.appending(path: template.lastPathComponent), to: place)
    try FileManager.default.createSymbolicLink(
      at: folder.appending(path: "home/Library/Caches"), withDestinationURL: place)
    return folder
  }

  // MARK: - The processes

  /// Runs the process until a call, and examines the next launch.
  private func run(_ number: Int64, killedAt call: Int64) throws -> InterruptedRuns.Run {
    let folder = try prepare(number)
    defer {
      for url in [folder, otherVolume.url.appending(path: folder.lastPathComponent)] {
        // The folder of the campaign is removed at its end.
        try? FileManager.default.removeItem(at: url)
      }
    }
    let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
    let words = [program, "--child", work.child.rawValue, folder.path]
    var outcome = tracer_outcome()
    let isTraced = unsafe words.withCStrings { words in
      var plan = unsafe tracer_plan(
        killed_at: call, full_at: .max, folder: nil, durable: nil)
      return unsafe words.map { unsafe tracer_run($0, &plan, &outcome) } ?? false
    }
    guard isTraced, outcome.calls > 0 else { throw BenchmarkError.notTraced() }
    guard outcome.was_killed || outcome.status == 0 else {
      throw BenchmarkError.childFailed("\(work.name): status \(outcome.status)")
    }
    return InterruptedRuns.Run(
      calls: outcome.calls, wasEnded: outcome.was_killed, problem: try problem(in: folder))
  }

  // MARK: - The next launch

  private func problem(in folder: URL) throws -> String? {
    let app = try FileApp(at: folder)
    let work = work
    let problem = try awaiting {
      switch work {
      case .download: try await Self.downloadProblem(app, folder, isForced: false)
      case .forcedDownload: try await Self.downloadProblem(app, folder, isForced: true)
      case .move, .moveToOtherVolume: try await Self.moveProblem(app)
      }
    }
    try app.pool.close()
    return problem
  }

  /// Returns what is wrong about the file and its record; `nil` when they belong together.
  private static func mismatch(_ app: FileApp, _ place: RelocatablePath) throws -> String? {
    guard let content = try app.content(at: place) else {
      return try app.record.map { "its record (\($0.storedText)) has no file" }
    }
    guard content == FileApp.content || content == old else { return "the file is incomplete" }
    guard let record = try app.record, record.state == .recorded, record.path == place else {
      return "the file has no record"
    }
    let digest = try FileDigest(of: app.container.url(for: place))
    return record.digest == digest ? nil : "the record is that of another content"
  }

  private static func downloadProblem(
    _ app: FileApp, _ folder: URL, isForced: Bool
  ) async throws -> String? {
    let place = try FileApp.place(.documents)
    if try app.record != nil, try app.content(at: place) == nil {
      return "its record had no file before the launch"
    }
    let next = try await app.downloader()
    let recovered = next.recovered
    guard recovered.postponed.isEmpty, recovered.lost.isEmpty, recovered.occupied.isEmpty else {
      await next.close()
      return "the launch left it unfinished"
    }
    if let problem = try mismatch(app, place) {
      await next.close()
      return problem
    }
    let remains = try app.remains
    let stems = Set(remains.map { $0.split(separator: ".")[0] })
    guard remains.count == stems.count * 2, recovered.unfinished.count == stems.count else {
      await next.close()
      return "a part without its entry, or an entry without its part: \(remains)"
    }
    let isNew = try app.content(at: place) == FileApp.content
    let again = try FileApp.request(FileWork.url(in: folder), isForced: isForced && !isNew)
    _ = try await next.start(again).value()
    await next.close()
    guard try app.content(at: place) == FileApp.content else { return "it cannot be downloaded" }
    guard try app.remains.isEmpty else { return "left over: \(try app.remains)" }
    return try mismatch(app, place)
  }

  private static func moveProblem(_ app: FileApp) async throws -> String? {
    guard let before = try app.record?.path else { return "the record is gone" }
    if try app.content(at: before) == nil {
      guard try await app.ledger.launchCheck().hasUnfinishedMoves else {
        return "the record has no file, and no move is stored"
      }
    }
    try await app.lifecycle.recoverMoves()
    if try await app.ledger.launchCheck().hasUnfinishedMoves { return "a move is still stored" }
    guard let place = try app.record?.path else { return "the record is gone after the launch" }
    guard try app.content(at: place) == FileApp.content else { return "no whole file at \(place)" }
    let names = try [StorageRoot.documents, .caches].flatMap { try app.names(in: $0) }
    guard names == ["downloads/book.m4b"] else { return "left over: \(names)" }
    return try mismatch(app, place)
  }
}
