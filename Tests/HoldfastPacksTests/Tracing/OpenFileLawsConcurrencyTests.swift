#if os(Linux)
  import Foundation
  import Holdfast
  import HoldfastFiles
  import HoldfastPacks
  import HoldfastTestSupport
  import Testing

  /// Laws 1 and 2 in the system calls of processes that use a pack.
  @Suite(.enabled(if: SystemCallTrace.isPossible, "there is no strace, or it may not trace"))
  struct OpenFileLawsConcurrencyTests {
    let directory: TemporaryDirectory

    init() throws {
      directory = try TemporaryDirectory()
    }

    private func laws(
      _ traces: [String: URL], exempt: Set<String> = []
    ) throws -> OpenFileLaws {
      let calls = try traces.flatMap { process, trace in
        try FileCall.calls(in: trace, of: process, below: directory.url.path)
      }
      return OpenFileLaws(calls, below: directory.url.path, exempt: exempt)
    }

    @Test func `No open file is touched while a pack is upgraded under readers`() async throws {
      let upgrade = try TracedUpgrade(in: directory.url)
      try upgrade.prepare()
      // Signals stay in a pipe as long as one process has it open.
      let pipes = try TracedUpgrade.Event.allCases.map(upgrade.signal)
      await withTaskGroup(of: Void.self) { group in
        for role in TracedUpgrade.Role.allCases {
          group.addTask {
            await #expect(processExitsWith: .success) {
              [url = directory.url as URL, role = role as TracedUpgrade.Role] in
              try await TracedUpgrade(in: url).perform(role)
            }
          }
        }
      }
      withExtendedLifetime(pipes) {}
      let traces = TracedUpgrade.Role.allCases.map { ($0.rawValue, upgrade.trace(of: $0)) }
      let laws = try laws(Dictionary(uniqueKeysWithValues: traces), exempt: ["system"])
      #expect(laws.breaches == [])

      // What was checked.
      let store = "container/Library/Application Support/Festival/guide"
      func files(_ suffix: String, _ process: TracedUpgrade.Role) -> Int {
        laws.databases[process.rawValue, default: []]
          .count { $0.hasPrefix(store) && $0.hasSuffix(suffix) && !$0.contains("/.") }
      }
      #expect(files("/places.db", .reader) >= 2)
      #expect(files("/map.mbtiles", .reader) == 1)
      for role in [TracedUpgrade.Role.reader, .installer] {
        for suffix in ["", "-wal", "-shm"] {
          #expect(files("/seeded/art.sqlite\(suffix)", role) == 1)
        }
      }
      #expect(files("/places.db", .installer) == 3)
      #expect(laws.databases["inPlace"] == ["App.bundle/guide/places.db"])
      #expect(laws.openedTwice["installer"]?.contains("App.bundle/guide/places.db") == true)
      let lost = laws.lostNames["installer", default: []]
      #expect(lost.contains { $0.hasSuffix("/places.db") })
      #expect(lost.contains { $0.hasPrefix("\(store)/1-") })
      #expect(laws.lostNames["system"]?.contains("App.bundle/guide/places.db") == true)
    }

    /// What must not be done to a file that another process reads.
    private static let deeds:
      [(law: OpenFileLaws.Law, file: String, deed: @Sendable (FilePath) throws -> Void)] = [
        (
          .changed, "written.db",
          { path in
            let handle = try FileHandle(forWritingTo: path.url)
            try handle.write(contentsOf: Data("SQLite".utf8))
            try handle.close()
          }
        ),
        (
          .changed, "truncated.db",
          { path in
            let handle = try FileHandle(forUpdating: path.url)
            try handle.truncate(atOffset: 4096)
            try handle.close()
          }
        ),
        (.changed, "emptied.db", { path in try Data().write(to: path.url) }),
        (.renamed, "renamed.db", { path in try SystemCalls.move(path.text, to: path.text + "~") }),
        (
          .renamed, "folder/moved.db",
          { path in
            try SystemCalls.move(path.directory.text, to: path.directory.text + "~")
          }
        ),
        (
          .replaced, "replaced.db",
          { path in
            try Data().write(to: URL(filePath: path.text + "~"))
            try SystemCalls.move(path.text + "~", to: path.text)
          }
        ),
        (.removed, "removed.db", { path in try SystemCalls.remove(path.text) }),
        (.logMoved, "log.db-wal", { path in try SystemCalls.remove(path.text) }),
        (
          .logMoved, "index.db-shm",
          { path in try SystemCalls.move(path.text, to: path.text + "~") }
        ),
      ]

    /// Verifies the method of the test.
    @Test func `Each breach of the laws is found in the traces`() async throws {
      let (isReading, mayEnd) = (directory.file("reading"), directory.file("end"))
      let pipes = try [isReading, mayEnd].map { try Signal(at: $0.path) }
      try FileManager.default.createDirectory(
        at: directory.file("folder"), withIntermediateDirectories: false)
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          await #expect(processExitsWith: .success) { [folder = directory.url as URL] in
            try await Self.readFiles(in: folder)
          }
        }
        group.addTask {
          await #expect(processExitsWith: .success) { [folder = directory.url as URL] in
            try await Self.breakLaws(in: folder)
          }
        }
      }
      withExtendedLifetime(pipes) {}
      let laws = try laws([
        "reader": directory.file("reader.trace"), "other": directory.file("other.trace"),
      ])
      let expected =
        [OpenFileLaws.Breach(law: .closedOutsideSQLite, process: "reader", path: "peeked.db")]
        + Self.deeds.map { OpenFileLaws.Breach(law: $0.law, process: "other", path: $0.file) }
        // A log and its index are open files as well.
        + [
          OpenFileLaws.Breach(law: .renamed, process: "other", path: "folder/moved.db-wal"),
          OpenFileLaws.Breach(law: .renamed, process: "other", path: "folder/moved.db-shm"),
          OpenFileLaws.Breach(law: .removed, process: "other", path: "log.db-wal"),
          OpenFileLaws.Breach(law: .renamed, process: "other", path: "index.db-shm"),
        ]
      #expect(Set(laws.breaches) == Set(expected))
      #expect(laws.openedTwice == ["reader": ["peeked.db"]])
    }

    private static func readFiles(in folder: URL) async throws {
      let trace = try SystemCallTrace(
        of: getpid(), to: folder.appending(path: "reader.trace"), calls: .files)
      var pools: [DatabasePool] = []
      for file in deeds.map(\.file) + ["peeked.db"] {
        let name = file.replacing("-wal", with: "").replacing("-shm", with: "")
        let pool = try DatabasePool(path: folder.appending(path: name).path)
        try await pool.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
        pools.append(pool)
      }
      _ = try Data(contentsOf: folder.appending(path: "peeked.db"))
      try Signal(at: folder.appending(path: "reading").path).send()
      let mayEnd = try Signal(at: folder.appending(path: "end").path)
      try await onOwnThread { try mayEnd.wait() }
      trace.end()
      withExtendedLifetime(pools) {}
      // The databases are not fit to be closed.
      exit(EXIT_SUCCESS)
    }

    private static func breakLaws(in folder: URL) async throws {
      let isReading = try Signal(at: folder.appending(path: "reading").path)
      try await onOwnThread { try isReading.wait() }
      let mayEnd = try Signal(at: folder.appending(path: "end").path)
      let trace = try SystemCallTrace(
        of: getpid(), to: folder.appending(path: "other.trace"), calls: .files)
      // Also after an error, so that the reader does not wait.
      defer { _ = Result { try mayEnd.send() } }
      defer { trace.end() }
      for deed in deeds { try deed.deed(FilePath(of: folder.appending(path: deed.file))) }
    }
  }
#endif
