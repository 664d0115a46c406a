import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

/// A log or a journal that cannot be read is no damage: what the database has without it is not known.
@Suite struct UnreadableLogTests {
  private static let name = "Documents/a.sqlite"

  let copy: ContainerCopy

  init() throws { copy = try ContainerCopy() }

  private var url: URL { copy.url(Self.name) }

  /// Makes a database whose first page is in its log or its journal alone.
  private func makeWithoutFirstPage(_ suffix: String) throws {
    if suffix == "-wal" {
      try copy.copyOpen(Self.name, suffixes: [suffix], journalMode: "WAL")
    } else {
      try copy.copyOpen(
        Self.name, suffixes: [suffix], journalMode: "DELETE", "BEGIN", "UPDATE t SET a = a || a")
    }
    let bytes = try Data(contentsOf: url)
    try (Data(count: 4096) + bytes.dropFirst(4096)).write(to: url)
  }

  @Test(
    .enabled(if: Unprivileged.isPossible, Comment(rawValue: Unprivileged.reason)),
    arguments: [("-wal", "log"), ("-journal", "journal")])
  func `what is missing is the permission`(suffix: String, kind: String) async throws {
    try makeWithoutFirstPage(suffix)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0], ofItemAtPath: copy.url(Self.name + suffix).path)
    await #expect(processExitsWith: .success) {
      [url = url as URL, folder = copy.folder as URL, suffix, kind] in
      Unprivileged.become()
      let reason = "ts \(kind) 'a.sqlite\(suffix)' cannot be read: Permission denied."
      let error = #expect(throws: ToolError.self) { try DatabaseQueue(readingFileAt: url) }
      #expect(error?.exitCode == .noInput)
      #expect(error?.message.hasSuffix(" cannot be opened: i" + reason) == true)
      var examination = try ContainerExamination(
        of: folder, largeByteCount: 1 << 40,
        bar: ProgressBar(console: .standard(), isShown: false))
      try examination.examineDatabase(
        FoundDatabase(
          path: FilePath(of: url), name: "a", start: [UInt8](repeating: 0, count: 4096),
          byteCount: 4096))
      #expect(examination.findings.sorted.map(\.kind) == [.unreadable])
      #expect(examination.findings.sorted.map(\.reason) == ["I" + reason])
    }
  }

  /// Whichever call of the system fails.
  @Test(arguments: ["-wal", "-journal"])
  func `no call that fails makes it damaged`(suffix: String) throws {
    try makeWithoutFirstPage(suffix)
    let files = DatabaseFiles(main: try FilePath(of: url).resolved())
    #expect(files.mayHaveFirstPage)
    for number in 1... {
      let fault = SystemFault(atCall: number, .fail(.accessDenied))
      SystemCalls.$fault.withValue(fault) {
        #expect(files.mayHaveFirstPage, "call \(number)")
      }
      guard fault.hasStruck else { break }
    }
    for number in 1... {
      let fault = SystemFault(atCall: number, .fail(.accessDenied))
      SystemCalls.$fault.withValue(fault) {
        do {
          try DatabaseQueue(readingFileAt: url).close()
        } catch let error as DatabaseError {
          #expect(error.resultCode != .SQLITE_CORRUPT, "call \(number)")
        } catch {
          // It says what cannot be read.
        }
      }
      guard fault.hasStruck else { break }
    }
  }

  /// To open a pipe would wait for who writes into it.
  @Test(arguments: [("-wal", "log"), ("-journal", "journal")])
  func `a pipe in its place is named`(suffix: String, kind: String) throws {
    try copy.database(Self.name, isLogged: suffix == "-wal") { db in
      try db.execute(sql: "CREATE TABLE t (a)")
    }
    let made = try ToolProcess.run(
      URL(filePath: "/usr/bin/env"), ["mkfifo", copy.url(Self.name + suffix).path])
    try #require(made.status == 0, "\(made.errors)")
    let reason = "ts \(kind) 'a.sqlite\(suffix)' is no plain file."
    let checked = try ToolProcess.run("db", "check", url.path)
    #expect(checked.status == 66 && checked.errors.contains("i" + reason), "\(checked.errors)")
    let found = try ToolProcess.run("doctor", copy.folder.path, "--json")
    #expect(try found.findings == ["unreadable Documents/a.sqlite"])
    #expect(found.output.contains("I" + reason))
  }
}
