import CTracer
import Foundation
import Holdfast
import HoldfastFiles
import HoldfastMaps
import HoldfastPacks

/// A campaign that ends the work with a pack at each of its calls, and examines the next launch.
///
/// The work ends by a kill, by a loss of power or because the disk is full.
struct PackCampaign {
  /// What the process does.
  enum Work: String, CaseIterable {
    case build, install, upgrade, switchBack, rollback, clean, seed, carryOver, merge

    /// The word before a work and a folder in the arguments of a process that does the work.
    static let word = "--pack-work"

    /// Does the work in this process, after a mark.
    func perform(in folder: String) throws {
      switch self {
      case .build: try FairWork.run(folder, FairWork.build)
      case .install, .upgrade: try FairWork.run(folder, FairWork.install)
      case .switchBack: try FairWork.run(folder, FairWork.switchBack)
      case .rollback: try FairWork.run(folder, FairWork.rollback)
      case .clean: try FairWork.run(folder, FairWork.clean)
      case .seed, .carryOver, .merge: try FairWork.run(folder, FairWork.open)
      }
    }

    /// Whether the process opens the user's database for the first time.
    var isFirstStart: Bool { [.seed, .carryOver].contains(self) }

    /// Whether the user has rows of their own before.
    var hasRows: Bool { ![.build, .install, .seed].contains(self) }

    var name: String {
      switch self {
      case .build: "building"
      case .install: "installation"
      case .upgrade: "upgrade"
      case .switchBack: "switch"
      case .rollback: "rollback"
      case .clean: "clean-up"
      case .seed: "first seeding"
      case .carryOver: "carry-over"
      case .merge: "merge of a seed"
      }
    }

    /// Whether the work makes the version before current again, which lasts.
    var isReturn: Bool { [.switchBack, .rollback].contains(self) }

    /// The versions that may be current, or built, after an interruption, and after the completed
    /// work.
    var versions: (interrupted: Set<String>, completed: String) {
      switch self {
      case .install: ([], "1.1")
      case .build, .upgrade: (["1.0", "1.1"], "1.1")
      case .switchBack, .rollback: (["1.0", "1.1"], "1.0")
      case .clean, .seed, .carryOver, .merge: (["1.1"], "1.1")
      }
    }
  }

  /// How the work ends.
  enum Ending: String, CaseIterable {
    case kill, powerLoss, fullDisk

    var name: String {
      switch self {
      case .kill: "kills"
      case .powerLoss: "losses of power"
      case .fullDisk: "full disks"
      }
    }
  }

  /// The number of endings after which a generation or a row of the user is lost or incomplete, or
  /// something is left.
  private(set) var violationCount = 0

  /// The number of examined states.
  private(set) var stateCount = 0

  private let work: Work
  private let ending: Ending
  private let base: TemporaryDirectory
  private var template: URL { base.url.appending(path: "template") }

  /// Runs a campaign.
  ///
  /// - Parameters:
  ///   - work: What the process does.
  ///   - ending: How it ends.
  ///   - count: The number of calls to end it at, evenly distributed; `nil` for each one.
  /// - Throws: ``PackCampaignError`` and the errors of the library.
  init(_ work: Work, endingBy ending: Ending, count: Int?) throws {
    self.work = work
    self.ending = ending
    // In memory, where syncing costs nothing, and no inode is used twice.
    base = try TemporaryDirectory(in: TemporaryDirectory.volumes.last ?? URL(filePath: "/"))
    let packs = base.url.appending(path: "packs")
    try FileManager.default.createDirectory(at: packs, withIntermediateDirectories: true)
    for version in ["1.0", "1.1"] { try FairPack.makeSample(version, in: packs) }
    try makeTemplate()
    let runs = try InterruptedRuns("\(work.name), \(ending.name)", count: count, run: run)
    (stateCount, violationCount) = (runs.stateCount, runs.violationCount)
  }

  private func makeTemplate() throws {
    let library = template.appending(path: "home/Library/Application Support")
    try FileManager.default.createDirectory(at: library, withIntermediateDirectories: true)
    guard work != .install else { return }
    guard work != .build else { return try FairBuild(in: template).prepare() }
    let (app, work) = (try PackApp(at: template), work)
    if work == .carryOver { try Self.writePreviousProgram(app) }
    try awaiting {
      if !work.isFirstStart {
        _ = try await app.install("1.0")
        let pool = try await app.openProgram()
        try await pool.write { db in
          try db.execute(sql: "INSERT INTO favorite VALUES (2, 'bring a torch')")
        }
        try pool.close()
      }
      guard work != .upgrade else { return }
      _ = try await app.install("1.1")
    }
    guard work == .clean else { return }
    // What an installation that was killed leaves, and an older generation.
    let folder = try app.store.url(of: app.pack)
    let staging = folder.appending(path: ".installing-0.9-00000000")
    try FileManager.default.copyItem(at: app.source("1.0"), to: staging)
    let old = template.appending(path: "0.9")
    try FileManager.default.copyItem(at: FairPack.sample("1.0"), to: old)
    let manifest = try FairPack.seal(old, version: "0.9")
    try FileManager.default.moveItem(at: old, to: folder.appending(path: manifest.generationName))
  }

  /// Writes what the user has from the year before.
  private static func writePreviousProgram(_ app: PackApp) throws {
    try FileManager.default.createDirectory(
      at: app.previousProgram.deletingLastPathComponent(), withIntermediateDirectories: true)
    let pool = try DatabasePool(path: app.previousProgram.path)
    try pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE favorite (event INTEGER PRIMARY KEY, note TEXT NOT NULL DEFAULT '');
          INSERT INTO favorite VALUES (2, 'bring a torch')
          """)
    }
    try pool.close()
  }

  // MARK: - The processes

  /// Runs the process until a call, and examines the next launch.
  private func run(_ number: Int64, endedAt call: Int64) throws -> InterruptedRuns.Run {
    let folder = base.url.appending(path: "run-\(number)")
    let durable = base.url.appending(path: "durable-\(number)")
    defer {
      for url in [folder, durable] {
        // The folder of the campaign is removed at its end.
        try? FileManager.default.removeItem(at: url)
      }
    }
    try FileManager.default.copyItem(at: template, to: folder)
    try FileManager.default.createDirectory(at: durable, withIntermediateDirectories: true)
    let power = try PowerLoss(in: folder, like: template, durable: durable)
    let outcome = try trace(folder, durable: durable, endedAt: call)
    let wasFull = ending == .fullDisk && outcome.writes >= call
    let wasEnded = outcome.was_killed || wasFull
    guard wasEnded || outcome.status == 0 else {
      throw PackCampaignError.failed(
        "\(work.name): status \(outcome.status), \(FairWork.error(in: folder))")
    }
    var run = InterruptedRuns.Run(
      calls: ending == .fullDisk ? outcome.writes : outcome.calls, wasEnded: wasEnded)
    // The work may fail on a full disk, and may not crash.
    if wasFull, outcome.status != 0, outcome.status != FairWork.failure << 8 {
      run.problem = "its status is \(outcome.status)"
      return run
    }
    guard ending == .powerLoss else {
      run.problem = try problem(in: folder, wasCompleted: !wasEnded)
      return run
    }
    run.states = 0
    var survivals: [(String, PowerLoss.Survival)] = [
      ("nothing unsynced", .nothing), ("names only", .names), ("contents only", .contents),
    ]
    for seed in 1...3 {
      survivals.append(("some, seed \(seed)", .some(SeededRandom(unprinted: UInt64(seed)))))
    }
    for (name, survival) in survivals {
      let state = base.url.appending(path: "state-\(number)")
      // The folder of the campaign is removed at its end.
      defer { try? FileManager.default.removeItem(at: state) }
      try power.write(survival, of: folder, to: state)
      run.states += 1
      if let problem = try problem(in: state, wasCompleted: !wasEnded) {
        run.problem = "\(name): \(problem)"
      }
    }
    return run
  }

  private func trace(
    _ folder: URL, durable: URL, endedAt call: Int64
  ) throws -> tracer_outcome {
    let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
    let words = [program, Work.word, work.rawValue, folder.path]
    let isFull = ending == .fullDisk
    let isLoss = ending == .powerLoss
    var outcome = tracer_outcome()
    let isTraced = unsafe words.withCStrings { words in
      unsafe folder.path.withCString { folder in
        unsafe durable.path.withCString { durable in
          var plan = unsafe tracer_plan(
            killed_at: isFull ? .max : call, full_at: isFull ? call : .max, folder: folder,
            durable: isLoss ? durable : nil)
          return unsafe words.map { unsafe tracer_run($0, &plan, &outcome) } ?? false
        }
      }
    }
    guard isTraced, outcome.calls > 0 else { throw PackCampaignError.notTraced }
    return outcome
  }

  // MARK: - The next launch

  private func problem(in folder: URL, wasCompleted: Bool) throws -> String? {
    let (work, ending) = (work, ending)
    return try awaiting {
      let app = try PackApp(at: folder)
      do {
        if work == .build {
          let (interrupted, completed) = work.versions
          return try FairBuild(in: folder).problem(
            allowing: wasCompleted ? [completed] : interrupted)
        }
        if let problem = try await Self.interruptionProblem(app, work, wasCompleted) {
          return problem
        }
        // The next launch would clean up once more, so it has to be looked at before.
        if work == .clean, wasCompleted, let problem = try Self.leftover(app, after: ending) {
          return problem
        }
        return try await Self.launchProblem(app, work)
      } catch {
        return "the next launch fails: \(error)"
      }
    }
  }

  /// Returns what is wrong before the next launch changes anything.
  private static func interruptionProblem(
    _ app: PackApp, _ work: Work, _ wasCompleted: Bool
  ) async throws -> String? {
    guard let current = try app.store.current(app.pack) else {
      return work == .install && !wasCompleted ? nil : "no generation is current"
    }
    let version = "\(current.manifest.version)"
    let allowed = work == .install ? ["1.1"] : work.versions.interrupted
    guard wasCompleted ? version == work.versions.completed : allowed.contains(version) else {
      return "\(version) is current"
    }
    let source = try PackManifest(of: app.source(version))
    guard source.digest == current.manifest.digest else { return "the manifest is another one" }
    for file in source.files where file.storage == .sealed {
      guard try FileDigest(of: current.url(of: file)) == file.content else {
        return "'\(file.path)' of \(version) is incomplete"
      }
    }
    // The next launch would make it once more, so it has to be looked at before.
    let program = try app.store.url(of: app.pack).appending(path: "seeded/\(FairPack.program)")
    guard
      !wasCompleted || !work.isFirstStart
        || FileManager.default.fileExists(atPath: program.path)
    else { return "the user's database is not there" }
    return nil
  }

  /// Completes the work, and returns what is wrong after it.
  private static func launchProblem(_ app: PackApp, _ work: Work) async throws -> String? {
    let present = try app.store.current(app.pack)?.manifest.version.description
    let report = try await app.install("1.1")
    guard let generation = report.generation else {
      return "it is not installed: \(report.reason) \(report.failure.map { "\($0)" } ?? "")"
    }
    let version = "\(generation.manifest.version)"
    guard version == (work.isReturn ? present : "1.1") else {
      return "\(version) is current: \(report.reason)"
    }
    guard !work.isReturn || report.action == .kept else {
      return "\(version) is not kept: \(report.action)"
    }
    guard let map = report.url(ofFileAt: FairPack.map) else { return "there is no map" }
    let tile = try await Tileset(at: map).tile(at: TileCoordinate(z: 14, x: 16065, y: 10257))
    if tile == nil { return "the map has no tile" }
    let pool = try await app.openProgram()
    let (favorites, events, flaws) = try await pool.read { db in
      try (
        String.fetchAll(db, sql: "SELECT note FROM favorite"),
        Int.fetchOne(db, sql: "SELECT count(*) FROM event") ?? 0,
        String.fetchAll(db, sql: "PRAGMA quick_check")
      )
    }
    try pool.close()
    guard flaws == ["ok"] else { return "the user's database is damaged: \(flaws)" }
    guard favorites == (work.hasRows ? ["bring a torch"] : []) else {
      return "the user's rows are \(favorites)"
    }
    if work == .carryOver {
      let previous = try DatabaseQueue(path: app.previousProgram.path)
      let count = try await previous.read { db in
        try Int.fetchOne(db, sql: "SELECT count(*) FROM favorite")
      }
      try previous.close()
      guard count == 1 else { return "the year before has \(count ?? 0) rows" }
    }
    guard events == (version == "1.0" ? 3 : 4) else {
      return "the program has \(events) events"
    }
    let cleaning = await app.store.clean(app.pack)
    if let problem = cleaning.problem { return "it cannot be cleaned: \(problem)" }
    return try leftover(app)
  }

  /// Returns what a clean-up has left, as far as it does not come back after an ending.
  private static func leftover(_ app: PackApp, after ending: Ending? = nil) throws -> String? {
    let generations = Set(try app.store.installedGenerations(of: app.pack).map(\.name))
    let wanted = Set(
      try [app.store.current(app.pack), app.store.previous(app.pack)].compactMap(\.?.name))
    guard generations == wanted else { return "left over: \(generations.subtracting(wanted))" }
    // Only that they are no longer generations is durable; the next clean-up removes the rest again.
    if ending == .powerLoss { return nil }
    let own = ["current", "leases", "seeded", "styles", "verified", ".lock"]
    var left = Set(try app.names).subtracting(wanted).subtracting(own)
    let seeded = try app.store.url(of: app.pack).appending(path: "seeded")
    let names = try FileManager.default.contentsOfDirectory(atPath: seeded.path)
    left.formUnion(names.filter { !$0.hasPrefix(FairPack.program) })
    return left.isEmpty ? nil : "left over: \(left.sorted())"
  }
}
