import Foundation
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

  /// A blocking access at the top level, and the awaited one that the compiler names instead.
  private static let accesses = [
    ("queue.read { db in }", "read { … }"),
    ("queue.write { db in }", "write { … }"),
    ("queue.unsafeRead { db in }", "unsafeRead { … }"),
    ("queue.writeWithoutTransaction { db in }", "writeWithoutTransaction { … }"),
    ("queue.barrierWriteWithoutTransaction { db in }", "barrierWriteWithoutTransaction { … }"),
    ("reader.read { db in }", "read { … }"),
    ("reader.unsafeRead { db in }", "unsafeRead { … }"),
    ("writer.write { db in }", "write { … }"),
    ("writer.writeWithoutTransaction { db in }", "writeWithoutTransaction { … }"),
    ("writer.barrierWriteWithoutTransaction { db in }", "barrierWriteWithoutTransaction { … }"),
    ("DatabaseMigrator().migrate(queue)", "migrate(writer)"),
    ("DatabaseMigrator().migrate(queue, upTo: \"a\")", "migrate(…)"),
    ("queue.erase()", "erase()"),
    ("queue.vacuum()", "vacuum()"),
    ("queue.vacuum(into: \"copy.db\")", "vacuum(into:)"),
    ("queue.checkpoint()", "checkpoint(…)"),
    ("queue.backup(to: queue)", "backup(to:)"),
    ("queue.suspend()", "suspend(…)"),
    ("queue.withBackgroundLease { }", "withBackgroundLease { … }"),
    ("queue.diagnose()", "diagnose()"),
    ("DatabasePool.shared(at: url)", "DatabasePool.shared(…)"),
    ("future.wait()", "value"),
    ("ledger.repairAll()", "repairAll(…)"),
  ]

  @Test func theCompilerSaysWhereEachAwaitedAccessBelongs() throws {
    let start = """
      import Foundation
      import Holdfast
      import HoldfastLedger

      let queue = try DatabaseQueue()
      let reader: any DatabaseReader = queue
      let writer: any DatabaseWriter = queue
      let url = URL(filePath: "any.db")
      let future: DatabaseFuture<Int>! = nil
      let ledger: FileLedger! = nil

      """
    let calls = Self.accesses.map { "_ = try await \($0.0)" }.joined(separator: "\n")
    let lines = try SwiftProgram.diagnostics(ofMain: start + calls).components(separatedBy: "\n")
    let first = start.count { $0 == "\n" } + 1
    for (line, (call, awaited)) in zip(first..., Self.accesses) {
      let error = lines.first { $0.contains("main.swift:\(line):") && $0.contains("error:") }
      #expect(error?.contains("is unavailable from asynchronous") == true, "\(call) \(lines)")
      #expect(error?.contains("await \(awaited)`") == true, "\(call)")
      #expect(
        error?.contains("at the top level of main.swift, in a function.") == true, "\(call)")
    }
  }

  /// An access that the list above lacks names `main.swift` too.
  @Test func eachBlockingAccessNamesTheMainFile() throws {
    let marked = try SourceTree.ofThisPackage().sources(in: "Sources").flatMap { path, text in
      text.components(separatedBy: "noasync").dropFirst().map { (path, $0.prefix(300)) }
    }
    #expect(marked.count >= 22)
    for (path, rest) in marked {
      let end = try #require(rest.range(of: "\"\n")?.lowerBound, "\(path)")
      #expect(
        rest[..<end].hasSuffix("; at the top level of main.swift, in a function."),
        "\(path): \(rest[..<end])")
    }
  }
}
