import Testing

/// What happens in a `main.swift`, where an access at the top level takes the blocking form.
@Suite(
  .enabled(if: SwiftProgram.canBeCompiled, "there is no swiftc, or no build of the tool"),
  .timeLimit(.minutes(2)))
struct MainFileTests {
  @Test func anAwaitedAccessInAFunctionRuns() throws {
    let program = try SwiftProgram([
      "main.swift": """
      import Holdfast

      func answer() async throws -> Int? {
        let queue = try DatabaseQueue()
        try await queue.write { db in try db.execute(sql: "CREATE TABLE t (n)") }
        return try await queue.read { db in try Int.fetchOne(db, sql: "SELECT 6 * 7") }
      }

      print(try await answer() ?? 0)
      """
    ])
    #expect(try program.run() == "42\n")
  }

  @Test(arguments: ["read", "write", "writeWithoutTransaction", "unsafeRead"])
  func theCompilerSaysWhereAnAwaitedAccessBelongs(access: String) throws {
    let text = try SwiftProgram.diagnostics(
      ofMain: """
        import Holdfast

        let queue = try DatabaseQueue()
        print(try await queue.\(access) { db in try Int.fetchOne(db, sql: "SELECT 1") } ?? 0)
        """)
    #expect(text.contains("error: instance method '\(access)' is unavailable from asynchronous"))
    #expect(
      text.contains("Write `try await \(access) { … }`"), "\(text)")
    #expect(text.contains("at the top level of main.swift, in a function."), "\(text)")
  }

  @Test func theCompilerSaysItOfAMigrationToo() throws {
    let text = try SwiftProgram.diagnostics(
      ofMain: """
        import Holdfast

        try await DatabaseMigrator().migrate(DatabaseQueue())
        """)
    #expect(text.contains("at the top level of main.swift, in a function."), "\(text)")
  }
}
