import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

/// What Leak Sanitizer is expected to find.
@Suite(
  .enabled(
    if: ProcessInfo.processInfo.environment["ASAN_OPTIONS"]?.contains("detect_leaks=1") == true,
    "only `make test SANITIZE=address` looks for leaks"))
struct LeakDetectionTests {
  private final class Owner {
    var held: Any?
  }

  /// Keeps something alive that nothing refers to.
  private static func leak(_ held: Any) {
    let (owner, other) = (Owner(), Owner())
    owner.held = (other, held)
    other.held = owner
  }

  @Test func aConnectionThatKeepsItselfAliveIsFound() async {
    await #expect(processExitsWith: .exitCode(23)) {
      // On a thread of its own, on whose stack no pointer remains; and several, in case one does.
      try await onOwnThread {
        for _ in 1...20 {
          let connection = try Connection()
          try connection.withAccess { db in try db.execute(sql: "CREATE TABLE t (a)") }
          Self.leak(connection.database)
        }
      }
    }
  }

  @Test func aStatementThatKeepsItselfAliveIsFound() async {
    await #expect(processExitsWith: .exitCode(23)) {
      try await onOwnThread {
        try Connection.inMemory { db in
          for _ in 1...20 { Self.leak(try db.makeStatement(sql: "SELECT 1")) }
        }
      }
    }
  }

  @Test func whatIsReleasedIsNoLeak() async {
    await #expect(processExitsWith: .success) {
      try await onOwnThread {
        try Connection.inMemory { db in try db.execute(sql: "CREATE TABLE t (a)") }
      }
    }
  }
}
