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
    await #expect(processExitsWith: .success) { [url = url as URL, suffix, kind] in
      Unprivileged.become()
      let error = #expect(throws: ToolError.self) { try DatabaseQueue(readingFileAt: url) }
      #expect(error?.exitCode == .noInput)
      let reason = "its \(kind) 'a.sqlite\(suffix)' cannot be read: Permission denied."
      #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }
  }

  /// The same call of the system fails for `doctor` and for verbs that read one database.
  @Test(arguments: ["-wal", "-journal"])
  func `no call that fails makes it damaged`(suffix: String) throws {
    try makeWithoutFirstPage(suffix)
    let transcript = try Transcript()
    let bar = ProgressBar(console: transcript.console, isShown: false)
    let examination = try ContainerExamination(
      of: copy.folder, largeByteCount: 1 << 40, bar: bar)
    var reasons: Set<String> = []
    for number in 1... {
      var failing = examination
      let fault = SystemFault(atCall: number, .fail(.accessDenied))
      try SystemCalls.$fault.withValue(fault) {
        do { try failing.run() } catch is ToolError {}
      }
      guard fault.hasStruck else { break }
      for finding in failing.findings.sorted {
        #expect(finding.kind != .damagedDatabase, "call \(number)")
        if finding.kind == .unreadable { reasons.insert(finding.reason) }
      }
    }
    for number in 1... {
      let fault = SystemFault(atCall: number, .fail(.accessDenied))
      SystemCalls.$fault.withValue(fault) {
        do {
          try DatabaseQueue(readingFileAt: url).close()
        } catch let error as DatabaseError {
          #expect(error.resultCode != .SQLITE_CORRUPT, "call \(number)")
        } catch let error as ToolError {
          if error.message.contains("its ") { reasons.insert(error.message) }
        } catch {
          // The path cannot be resolved.
        }
      }
      guard fault.hasStruck else { break }
    }
    let companion = "'a.sqlite\(suffix)' cannot be read: Permission denied."
    #expect(reasons.contains { $0.hasPrefix("Its ") && $0.hasSuffix(companion) }, "\(reasons)")
    #expect(reasons.contains { $0.hasSuffix(companion) && !$0.hasPrefix("Its ") }, "\(reasons)")
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
