import Foundation
import HoldfastFiles
import HoldfastPacks
import HoldfastTestSupport
import Synchronization
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Installations in which any single system call fails or is the last one of the process.
@Suite struct InstallFaultTests {
  let app: PackApp
  let old: SamplePack
  let new: SamplePack
  let newest: SamplePack

  init() throws {
    // In memory, where a sync costs no time.
    app = try PackApp(in: TemporaryDirectory.volumes.last)
    old = try app.sample("2025.1", byteCount: 600_000)
    new = try app.sample("2025.2", city: "Gerlach")
    newest = try app.sample("2025.3")
  }

  /// A change of a store that every round attempts.
  enum Change: String, CaseIterable, Codable, Sendable {
    case install, upgrade, repair, rollback, clean
  }

  private var template: URL { app.directory.file("template") }

  /// Brings the container into the state before a change, from which ``restore()`` starts again.
  private func prepare(_ change: Change) async throws {
    let store = try app.store()
    try FileManager.default.createDirectory(at: app.container, withIntermediateDirectories: true)
    switch change {
    case .install: break
    case .upgrade: _ = try await store.install(app.pack, from: old.bundled)
    case .repair:
      let report = try await store.install(app.pack, from: old.bundled)
      try SamplePack.damage(try #require(report.url(ofFileAt: "map.mbtiles")))
    case .rollback:
      _ = try await store.install(app.pack, from: old.bundled)
      _ = try await store.install(app.pack, from: new.bundled)
    case .clean:
      _ = try await store.install(app.pack, from: old.bundled)
      let lease = try store.hold(app.pack)
      _ = try await store.install(app.pack, from: new.bundled)
      _ = try await store.install(app.pack, from: newest.bundled)
      withExtendedLifetime(lease) {}
      let leftover = app.folder.appending(path: ".installing-2025.4-01234567~x/styles")
      try FileManager.default.createDirectory(at: leftover, withIntermediateDirectories: true)
      try Data("half".utf8).write(to: leftover.appending(path: "light.json"))
    }
    try FileManager.default.moveItem(at: app.container, to: template)
  }

  /// Replaces the container by one as it was prepared; its files have to be verified again, as
  /// after the restore of a backup.
  private func restore() throws {
    try? FileManager.default.removeItem(at: app.container)
    try FileManager.default.copyItem(at: template, to: app.container)
  }

  private static func perform(
    _ change: Change, _ store: PackStore, old: PackSource, new: PackSource
  ) async throws -> InstallReport? {
    let pack = try PackName(SamplePack.name)
    switch change {
    case .install, .repair: return try await store.install(pack, from: old)
    case .upgrade: return try await store.install(pack, from: new)
    case .rollback: return try await store.rollback(pack)
    case .clean:
      _ = await store.clean(pack)
      return nil
    }
  }

  private func perform(_ change: Change) async throws -> InstallReport? {
    try await Self.perform(change, try app.store(), old: old.bundled, new: new.bundled)
  }

  /// A call of a change.
  private struct Call {
    var name: SystemCalls.Name
    /// Whether a crash after the call leaves something else than one before it.
    ///
    /// A lock ends with the process, and a sync changes nothing that another process sees.
    var changesFiles = false
  }

  private func calls(_ change: Change) async throws -> [Call] {
    try await prepare(change)
    try restore()
    let seen = Mutex<[(name: SystemCalls.Name, files: Set<String>)]>([])
    let watch = SystemFault(
      atCall: 1,
      .watch { [container = app.container] name in
        seen.withLock { seen in
          let files =
            if let last = seen.last, !Self.changing.contains(last.name) { last.files } else {
              Self.files(in: container)
            }
          seen.append((name, files))
        }
      })
    _ = try await SystemCalls.$fault.withValue(watch) { try await perform(change) }
    let last = Self.files(in: app.container)
    return seen.withLock { seen in
      zip(seen, seen.dropFirst().map(\.files) + [last]).map { call, after in
        Call(name: call.name, changesFiles: call.name == .setxattr || call.files != after)
      }
    }
  }

  /// The files and folders in a container, without their attributes.
  private static func files(in container: URL) -> Set<String> {
    // The calls of this examination are not those that are examined.
    SystemCalls.$fault.withValue(nil) {
      Set(
        (FileManager.default.subpaths(atPath: container.path) ?? []).map { name in
          // What is not there any more differs, too.
          let status = try? SystemCalls.linkStatus(of: container.path + "/" + name)
          return
            "\(name) \(status?.inode ?? 0) \(status?.byteCount ?? 0) \(status?.permissions ?? 0)"
        })
    }
  }

  /// The calls that may change something on the volume, or how long it lasts.
  private static let changing: Set<SystemCalls.Name> = [
    .open, .write, .fsync, .mkdir, .rename, .renameat2, .unlink, .rmdir, .setxattr, .fchmod,
    .symlink, .clone, .flock,
  ]

  /// What is in the container, and which of it this process has open: all that the next run depends
  /// on.
  private func state() throws -> [String] {
    let open = try #require(SystemCalls.filesOpenHere())
    return try FileManager.default.subpathsOfDirectory(atPath: app.container.path).map { name in
      let url = app.container.appending(path: name)
      let status = try SystemCalls.linkStatus(of: url.path)
      let isExcluded = try FileAttributes(of: url).isExcludedFromBackup
      let content =
        if name.hasSuffix("/verified") {
          // Inodes and times differ each time, but not whether they are right.
          try remembered()
        } else {
          status.kind == .regular ? "\(try FileDigest(of: url).sha256)" : ""
        }
      // Without the digits that only make a name unique.
      let names = name.split(separator: "/").map { $0.prefix { $0 != "~" } }
      return "\(names.joined(separator: "/")) \(status.kind) \(status.permissions) \(isExcluded) "
        + "\(open.contains(status.identity)) \(content)"
    }.sorted()
  }

  /// The states of the generations, as the store remembers them.
  private func remembered() throws -> String {
    let folder = PackFolder(try FilePath(of: app.folder))
    let memory = VerificationMemory(folder.verified)
    return try app.store().installedGenerations(of: app.pack).map { generation in
      let state = memory.state(
        of: generation.manifest, named: generation.name, in: folder.generation(generation.name))
      return "\(generation.name): \(state)"
    }.joined(separator: ", ")
  }

  /// Expects that the current generation is complete, and that the next runs leave nothing behind.
  private func expectRecovery(_ change: Change, _ comment: Comment) async throws {
    let store = try app.store()
    if let generation = try store.current(app.pack) {
      if change != .repair {
        for file in generation.manifest.files {
          #expect(try FileDigest(of: generation.url(of: file)) == file.content, comment)
        }
      }
    } else {
      #expect(change == .install, comment)
    }
    let report = try #require(
      try await Self.perform(
        change == .clean || change == .rollback ? .upgrade : change, store, old: old.bundled,
        new: new.bundled), comment)
    let generation = try #require(report.generation, comment)
    #expect(report.failure == nil || report.action == .refused, comment)
    for file in generation.manifest.files {
      #expect(try FileDigest(of: generation.url(of: file)) == file.content, comment)
    }
    let cleaning = await store.clean(app.pack)
    #expect(cleaning.problem == nil, comment)
    let allowed: Set<String> = Set(
      [generation.name, "current", "verified", "leases"]
        + (try store.previous(app.pack).map { [$0.name] } ?? []))
    let strays = Set(try app.names()).subtracting(allowed)
    #expect(strays.isEmpty, comment)
  }

  @Test(arguments: Change.allCases)
  func `A failing call leaves a complete generation and a report`(_ change: Change) async throws {
    let calls = try await calls(change)
    let count = calls.count
    #expect(count > 20)
    var recovered: Set<[String]> = []
    for ordinal in 1...count {
      let isChanging = Self.changing.contains(calls[ordinal - 1].name)
      // Reads are the same in all changes.
      guard isChanging || change == .upgrade else { continue }
      try restore()
      let errno = isChanging && ordinal.isMultiple(of: 2) ? ENOSPC : EIO
      let fault = SystemFault(atCall: ordinal, .fail(Errno(errno)))
      let report = Mutex<InstallReport?>(nil)
      var failure: (any Error)?
      do {
        let result = try await SystemCalls.$fault.withValue(fault) {
          try await perform(change)
        }
        report.withLock { $0 = result }
      } catch {
        failure = error
      }
      #expect(fault.hasStruck)
      let comment: Comment =
        "\(change), call \(ordinal) of \(count): \(fault.callsSeen[ordinal - 1])"
      if let report = report.withLock({ $0 }), report.action == .failed {
        // Law 10: the report names the source and the reason.
        #expect(report.failure != nil, comment)
      }
      if let failure { #expect(failure is FileError || failure is PackError, comment) }
      // Many calls leave the same.
      if recovered.insert(try state()).inserted { try await expectRecovery(change, comment) }
    }
    #expect(recovered.count > 1)
  }

  @Test(arguments: Change.allCases)
  func `A crash at any call leaves the old generation or the new one`(
    _ change: Change
  ) async throws {
    let calls = try await calls(change)
    let count = calls.count
    // A crash before any other call leaves what a crash before the next of these leaves.
    for ordinal in 1...count where calls[ordinal - 1].changesFiles {
      try restore()
      await #expect(processExitsWith: .exitCode(77)) {
        [
          ordinal = ordinal as Int, change = change as Change,
          container = app.container as URL, old = old.url as URL, new = new.url as URL
        ] in
        var configuration = PackStore.Configuration()
        configuration.container = Container(at: container)
        configuration.role = try LeaseRole("org.example.app")
        let store = PackStore(try PackName("iBurn"), configuration: configuration)
        let fault = SystemFault(atCall: ordinal, .exit(status: 77))
        _ = try await SystemCalls.$fault.withValue(fault) {
          try await Self.perform(change, store, old: .bundle(old), new: .bundle(new))
        }
      }
      try await expectRecovery(change, "\(change), crash at call \(ordinal) of \(count)")
    }
  }

  @Test func `An interrupted call is retried`() async throws {
    let calls = try await calls(.upgrade)
    try restore()
    let fault = SystemFault(atCall: 1, .interruptFromHere)
    let report = try await SystemCalls.$fault.withValue(fault) { try await perform(.upgrade) }
    #expect(report?.action == .upgraded(from: old.manifest.generationName))
    #expect(report?.failure == nil && report?.unfinished == nil)
    // Each of them twice, but for those that are not retried.
    let closeCount = calls.count { $0.name == .close }
    #expect(fault.callsSeen.count == 2 * calls.count - closeCount)
    try await expectRecovery(.upgrade, "every call was interrupted")
  }
}
