import Foundation
import Holdfast
import HoldfastFiles
import HoldfastLedger
import Synchronization

/// A random history of a container with a ledger, compared with a model that knows each file.
///
/// It uses the public interface only, so that the benchmarks can run it too.
final class LedgerCampaign<Random: RandomNumberGenerator> {
  /// What the model knows of a record.
  struct Truth {
    /// Where its file is; `nil` when it was deleted.
    var place: RelocatablePath?
    var content: Data
    var hasDigest: Bool
    var expected: [RelocatablePath]
  }

  enum Dialect: CaseIterable {
    case text, tagged, located

    var table: LedgerTable {
      switch self {
      case .text: .own("file")
      case .tagged, .located: .audioFileDownloads
      }
    }
  }

  private(set) var violations: [String] = []
  private(set) var repairs = 0
  private(set) var cleared = 0

  /// The violations that are records cleared although their files were there.
  private(set) var wronglyCleared = 0

  private var random: Random
  private let base: URL
  private var home: URL
  private let dialect: Dialect
  private var queue: DatabaseQueue
  private var truths: [String: Truth] = [:]
  private var unreadable: [RelocatablePath] = []
  private var log: [String] = []
  private var isSecondRepaired = false

  private let roots: [StorageRoot] = [.documents, .caches]
  private let names = [
    "a.m4b", "A.m4b", "50%41 off.m4b", "é.m4b", "e\u{301}.m4b", "C:x.m4b", "b c.m4b", "#1?.m4b",
  ]

  init(seed: UInt64, in base: URL, random: Random) throws {
    self.random = random
    self.base = base
    dialect = Dialect.allCases[Int(seed % UInt64(Dialect.allCases.count))]
    home = Self.newHome(in: base)
    queue = try DatabaseQueue()
    for root in roots {
      try FileManager.default.createDirectory(
        at: container.url(for: root), withIntermediateDirectories: true)
    }
  }

  private static func newHome(in base: URL) -> URL {
    base.appending(path: "Containers/Data/Application/\(UUID().uuidString)")
  }

  private var container: Container { Container(at: home) }

  private func ledger(returning event: CampaignReturn? = nil) -> FileLedger {
    let expected = truths.mapValues(\.expected)
    var ledger = FileLedger(queue, container: container, table: dialect.table) { record in
      try event?.happen(to: record)
      return expected["\(record.id)"] ?? []
    }
    ledger.recordsPerTransaction = 3
    return ledger
  }

  /// Another table of the same database.
  private func secondLedger() -> FileLedger {
    var ledger = FileLedger(queue, container: container, table: .own("second"))
    ledger.recordsPerTransaction = 1
    return ledger
  }

  private func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }

  private func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  // MARK: - The history

  func run() async throws {
    try await begin()
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      for _ in 0..<Int.random(in: 1...6, using: &random) { try step() }
      try await repair()
      try check()
    }
  }

  private func begin() async throws {
    if dialect != .text {
      let location =
        dialect == .located ? ", storage_location TEXT DEFAULT 'caches'" : ""
      try await queue.write { db in
        try db.execute(
          sql: """
            CREATE TABLE local_audio_file_downloads (
              audio_file_id TEXT PRIMARY KEY, is_downloaded BOOLEAN NOT NULL DEFAULT TRUE,
              download_path TEXT NOT NULL, downloaded_at TIMESTAMP NOT NULL,
              updated_at TIMESTAMP NOT NULL\(location))
            """)
      }
    }
    try await ledger().adopt()
    try await secondLedger().adopt()
    for number in 0..<4 {
      let place = try RelocatablePath(.documents, "second", "\(number).m4b")
      try write(Data("second \(number)".utf8), to: place)
      try await secondLedger().record(RecordID("\(number)"), at: place)
    }
    for number in 0..<Int.random(in: 1...8, using: &random) {
      let id = "book_\(number)"
      guard let place = try freePlace() else { continue }
      // Some have one length, so that only the digest tells them apart.
      let content = Data("\(id) \(pick(["", "x", "yy"]))".utf8)
      try write(content, to: place)
      let hasDigest = chance(60)
      truths[id] = Truth(place: place, content: content, hasDigest: hasDigest, expected: [])
      let digest = hasDigest ? try FileDigest(of: container.url(for: place)) : nil
      try await ledger().record(RecordID(id), at: place, digest: digest)
    }
  }

  private func step() throws {
    guard let id = truths.keys.sorted().randomElement(using: &random), var truth = truths[id]
    else { return }
    let isReadable = truth.place.map { place in !unreadable.contains { covers($0, place) } } ?? true
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      let new = Self.newHome(in: base)
      try FileManager.default.moveItem(at: home, to: new)
      try makeAbsolute(id, home)
      try makeSecondAbsolute(home)
      home = new
      log.append("move container")
    case 1:
      try makeAbsolute(id, home)
    case 2 where isReadable:
      // To the same path in the other root.
      guard let place = truth.place, try truth.hasDigest || storedPath(of: id) == place else {
        // Neither the stored nor the expected path would lead there.
        return
      }
      let other = try RelocatablePath(
        place.root == .documents ? .caches : .documents, components: place.components)
      guard try isFree(other, takenPaths(except: id)) else { return }
      try move(&truth, to: other)
    case 3 where isReadable:
      guard truth.place != nil, let place = try freePlace() else { return }
      truth.expected = [place]
      try move(&truth, to: place)
    case 4 where isReadable && truth.hasDigest:
      guard truth.place != nil, let place = try freePlace() else { return }
      try move(&truth, to: place)
    case 5 where isReadable:
      guard let place = truth.place else { return }
      try FileManager.default.removeItem(at: container.url(for: place))
      truth.place = nil
      log.append("purge \(place)")
    case 6 where unreadable.isEmpty:
      guard let folder = truth.place?.parent, !folder.components.isEmpty else { return }
      try makeUnreadable(folder)
    case 7:
      for folder in unreadable { try makeReadable(folder) }
    case 8:
      // Another file of the same name, where nothing expects it.
      guard truth.hasDigest, let name = truth.place?.lastComponent else { return }
      let stray = try RelocatablePath(.documents, "stray", "\(log.count)", name)
      try write(Data("stray".utf8) + truth.content.dropFirst(5), to: stray)
      log.append("stray \(stray)")
    case 9 where isReadable:
      // A second name of the file, where nothing expects it.
      guard let place = truth.place, let name = place.lastComponent else { return }
      let link = try RelocatablePath(.documents, "links", "\(log.count)", name)
      let url = try container.url(for: link)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.linkItem(at: container.url(for: place), to: url)
      log.append("link \(place) to \(link)")
    default: return
    }
    truths[id] = truth
  }

  private func makeSecondAbsolute(_ home: URL) throws {
    let folder = home.appending(path: "Documents/second").path
    try queue.write { db in
      try db.execute(sql: "UPDATE second SET path = ? || '/' || id || '.m4b'", arguments: [folder])
    }
  }

  private func storedPath(of id: String) throws -> RelocatablePath? {
    let ledger = ledger()
    return try queue.read { db in try ledger.record(db, RecordID(id))?.path }
  }

  private func covers(_ folder: RelocatablePath, _ path: RelocatablePath) -> Bool {
    folder.root == path.root
      && path.components.starts(with: folder.components) { $0.utf8.elementsEqual($1.utf8) }
  }

  private func freePlace() throws -> RelocatablePath? {
    let taken = try takenPaths()
    for _ in 0..<20 {
      var components = ["downloads", pick(["one", "two", "li_é", "deep/er"])]
        .flatMap { $0.split(separator: "/").map(String.init) }
      components.append(pick(names))
      if chance(10) { components = [pick(names)] }
      let place = try RelocatablePath(pick(roots), components: components)
      if try isFree(place, taken) { return place }
    }
    return nil
  }

  /// The paths that records have or that the app expects.
  ///
  /// A record without a digest would take the file at such a path, in either root, for its own.
  private func takenPaths(except id: String? = nil) throws -> [RelocatablePath] {
    let ledger = ledger()
    let stored = try queue.read { db in
      try ledger.records(db).reduce(into: [RelocatablePath]()) { list, record in
        if let path = record.path, "\(record.id)" != id { list.append(path) }
      }
    }
    return stored
      + truths.filter { $0.key != id }.values.flatMap {
        $0.expected + ($0.place.map { [$0] } ?? [])
      }
  }

  /// Whether nothing is at a path, nor expected there, nor at the same path of the other root.
  private func isFree(_ place: RelocatablePath, _ taken: [RelocatablePath]) throws -> Bool {
    if unreadable.contains(where: { covers($0, place) }) { return false }
    if try exists(place) { return false }
    return !taken.contains { path in
      path.components.count == place.components.count
        && zip(path.components, place.components).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
    }
  }

  private func exists(_ place: RelocatablePath) throws -> Bool {
    let path =
      home.path + "/" + (place.root == .documents ? "Documents" : "Library/Caches")
      + "/" + place.components.joined(separator: "/")
    return FileManager.default.fileExists(atPath: path)
  }

  private func write(_ content: Data, to place: RelocatablePath) throws {
    let url = try container.url(for: place)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try content.write(to: url)
  }

  private func move(_ truth: inout Truth, to place: RelocatablePath) throws {
    guard let old = truth.place else { return }
    let url = try container.url(for: place)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.moveItem(at: container.url(for: old), to: url)
    log.append("move \(old) to \(place)")
    truth.place = place
  }

  /// Replaces a folder by a link to itself, which the superuser cannot read either.
  private func makeUnreadable(_ folder: RelocatablePath) throws {
    let url = try container.url(for: folder)
    try FileManager.default.moveItem(at: url, to: hidden(folder))
    try FileManager.default.createSymbolicLink(
      atPath: url.path, withDestinationPath: url.lastPathComponent)
    unreadable.append(folder)
    log.append("make \(folder) unreadable")
  }

  private func makeReadable(_ folder: RelocatablePath) throws {
    let root = try container.url(for: folder.root).path
    let path = root + "/" + folder.components.joined(separator: "/")
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(
      at: hidden(folder), to: URL(filePath: path, directoryHint: .isDirectory))
    unreadable.removeAll { $0 == folder }
    log.append("make \(folder) readable")
  }

  private func hidden(_ folder: RelocatablePath) -> URL {
    base.appending(path: "hidden-\(folder.root.tag)-\(folder.components.joined(separator: "+"))")
  }

  /// Stores the absolute path, as old versions of an app did.
  private func makeAbsolute(_ id: String, _ home: URL) throws {
    try queue.write { db in
      guard let record = try ledger().record(db, RecordID(id)), let path = record.path else {
        return
      }
      let root = path.root == .documents ? "Documents" : "Library/Caches"
      let url = home.appending(path: root + "/" + path.components.joined(separator: "/"))
      let isURL = chance(50)
      let (table, column, key) =
        dialect == .text
        ? ("file", "path", "id")
        : ("local_audio_file_downloads", "download_path", "audio_file_id")
      try db.execute(
        sql: "UPDATE \(table) SET \(column) = ? WHERE \(key) = ?",
        arguments: [isURL ? url.absoluteString : url.path, id])
      log.append("\(id) is absolute")
    }
  }

  // MARK: - The repair and its check

  private func repair() async throws {
    repairs += 1
    if chance(30), let id = truths.keys.sorted().randomElement(using: &random) {
      _ = try await ledger().repair(RecordID(id))
      log.append("repair \(id)")
    }
    // Interrupted between its chunks, and continued by another ledger.
    while chance(50) {
      let ledger = ledger()
      let task = Task { try await ledger.repairAll() }
      if chance(50) { await Task.yield() }
      task.cancel()
      do {
        _ = try await task.value
        break
      } catch is CancellationError {
        log.append("interrupted")
        if chance(50) { try kill() }
      }
    }
    // Ended after each step, as by kills between two transactions.
    while chance(20) {
      if try await ledger().repairAll(budget: .zero).isComplete { break }
      log.append("out of time")
    }
    var event: CampaignReturn?
    if chance(40), unreadable.isEmpty,
      let id = truths.filter({ $0.value.place == nil }).keys.sorted().randomElement(using: &random),
      let truth = truths[id]
    {
      event = CampaignReturn(id, truth.content, container)
    }
    let other = secondLedger()
    isSecondRepaired = chance(50)
    let isConcurrent = isSecondRepaired
    async let second = isConcurrent ? other.repairAll() : RepairReport()
    async let dry = isConcurrent ? other.repairAll(dryRun: true) : RepairReport()
    let report = try await ledger(returning: event).repairAll()
    if !report.isComplete { violations.append("the repair is not complete") }
    let isComplete = try await (second.isComplete, dry.isComplete)
    if isComplete != (true, true) { violations.append("the second table is not repaired") }
    if let event, let place = event.place.withLock({ $0 }) {
      truths[event.id]?.place = place
      log.append("\(event.id) came back during the repair")
    }
    cleared += report.cleared
    log.append("repair")
  }

  /// Goes on with what a process that is killed between two transactions leaves: the database as it is
  /// committed, without temporary tables.
  private func kill() throws {
    let next = try DatabaseQueue()
    try queue.backup(to: next)
    try queue.close()
    queue = next
    log.append("kill")
  }

  private func check() throws {
    let records = try queue.read { db in
      try ledger().records(db).reduce(into: [LedgerRecord]()) { $0.append($1) }
    }
    let second = try queue.read { db in
      try secondLedger().records(db).reduce(into: [LedgerRecord]()) { $0.append($1) }
    }
    for record in second
    where isSecondRepaired
      && (record.state != .recorded
        || record.storedText != "@documents/second/\(record.id).m4b")
    {
      report("second \(record.id) is \(record.state) at \(record.storedText)")
    }
    var owners: [NSObject: RecordID] = [:]
    for record in records {
      guard let truth = truths["\(record.id)"] else { continue }
      if record.storedText.hasPrefix("/") || record.storedText.hasPrefix("file:"),
        unreadable.isEmpty, truth.place != nil
      {
        report("\(record.id) is absolute: \(record.storedText)")
      }
      guard let place = truth.place else { continue }
      if record.state == .cleared {
        wronglyCleared += 1
        report("\(record.id) is cleared, its file is at \(place)")
      }
      if unreadable.isEmpty, record.path != place,
        try record.path.map({ try !leads($0, to: truth, at: place) }) ?? true
      {
        report("\(record.id) is at \(record.storedText), its file is at \(place)")
      }
      if let path = record.path, record.state == .recorded, try exists(path) {
        let node = try node(path)
        if let owner = owners[node] { report("\(owner) and \(record.id) own \(path)") }
        owners[node] = record.id
      }
    }
  }

  /// Whether a path leads to a record's file: it is another name of it, or, if the record has a digest,
  /// the file there has its content, as a name has that stayed when the file's first one was deleted.
  private func leads(
    _ path: RelocatablePath, to truth: Truth, at place: RelocatablePath
  ) throws -> Bool {
    if try node(path) == node(place) { return true }
    return try truth.hasDigest && exists(path)
      && Data(contentsOf: container.url(for: path)) == truth.content
  }

  /// What two names of one file have in common.
  private func node(_ path: RelocatablePath) throws -> NSObject {
    guard try exists(path) else { return NSString(string: path.description) }
    let attributes = try FileManager.default.attributesOfItem(
      atPath: container.url(for: path).path)
    return attributes[.systemFileNumber] as? NSNumber ?? NSNumber(value: 0)
  }

  private func report(_ violation: String) {
    violations.append(violation + " [" + log.joined(separator: "; ") + "]")
  }
}

/// A file that the app downloads again, to the stored path, while the repair looks for it.
private final class CampaignReturn: Sendable {
  let id: String
  let content: Data
  let container: Container
  let place = Mutex<RelocatablePath?>(nil)

  init(_ id: String, _ content: Data, _ container: Container) {
    self.id = id
    self.content = content
    self.container = container
  }

  func happen(to record: LedgerRecord) throws {
    guard "\(record.id)" == id, record.state == .recorded, let path = record.path,
      place.withLock({ $0 == nil })
    else { return }
    let url = try container.url(for: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try content.write(to: url)
    place.withLock { $0 = path }
  }
}
