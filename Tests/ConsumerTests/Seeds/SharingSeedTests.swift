import Foundation
import HoldfastTestSupport
import Testing

/// The code of a guide to shared databases does with Holdfast what the guide promises.
@Suite(
  .enabled(if: Seed.isThere("002"), "../shared/seeds/002_… is absent"),
  .enabled(if: SwiftProgram.canBeCompiled, "there is no swiftc, or no build of the tool"),
  .timeLimit(.minutes(2)))
struct SharingSeedTests {
  private static let program = Result { try SharingSeedProgram.compiled() }

  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  /// What one of the program's parts prints about a database.
  private func run(_ part: String, _ name: String = "") throws -> String {
    try Self.program.get().run(part, folder.file("shared db.sqlite").path, name)
  }

  @Test func aReaderFindsNothingBeforeTheDatabaseIsCreated() throws {
    #expect(
      try run("read") == """
        absent
        nothing was created
        Ann
        Ann Bob
        8

        """)
  }

  @Test func aDamagedFileIsNotTakenForAnAbsentOne() throws {
    try Data(repeating: 7, count: 4096).write(to: folder.file("shared db.sqlite"))
    #expect(try run("damaged") == "26\n26\n")
  }

  @Test func severalProcessesMayCreateTheDatabase() async throws {
    let program = try Self.program.get()
    let path = folder.file("shared db.sqlite").path
    try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<4 {
        group.addTask { try await onOwnThread { try program.run("write", path, "\(number)") } }
      }
      for try await text in group { #expect(text == "10 written\n") }
    }
    #expect(try run("count") == "40\n")
  }

  /// GR-3.
  @Test func aWriteThatWaitedForTooLongFailsWithBusy() throws {
    #expect(try run("busy") == "busy\nwritten\nAnn\n")
  }

  @Test func everyConnectionIsPrepared() throws {
    #expect(try run("prepared") == "321\n321\n")
  }

  @Test func aSuspendedDatabaseResumesWithTheApp() throws {
    #expect(
      try run("suspension") == """
        written
        will suspend
        suspended
        Ann
        did resume
        written
        will suspend
        suspended
        did resume
        fetched
        written
        Ann Bob Eve

        """)
  }

  // "You will get SQLITE_INTERRUPT (9) or SQLITE_ABORT (4) errors."
  @Test func theErrorsOfASuspensionAreThoseThatTheGuideNames() throws {
    #expect(
      try run("errors") == """
        4 Transaction was aborted
        9 interrupted
        4 Database is suspended
        none

        """)
  }
}
