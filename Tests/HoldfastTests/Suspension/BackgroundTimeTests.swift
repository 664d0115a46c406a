import Foundation
import HoldfastTestSupport
import Testing

@testable import Holdfast

/// Suspension by the app's life cycle: the app is simulated, its database is real.
@MainActor @Suite(.timeLimit(.minutes(1))) struct BackgroundTimeTests {
  /// A simulated app that counts the requests, and whose time expires on request.
  @MainActor private final class PlayedApp: BackgroundTimeGiver {
    var givesTime = true
    var begun = 0
    var ended: [Int] = []
    var expire: (@MainActor @Sendable () -> Void)?
    var onEnd: () -> Void = {}

    func beginTask(_ expire: @escaping @MainActor @Sendable () -> Void) -> Int? {
      guard givesTime else { return nil }
      self.expire = expire
      begun += 1
      return begun
    }

    func endTask(_ task: Int) {
      ended.append(task)
      onEnd()
    }
  }

  private let folder: TemporaryDirectory
  private let path: String
  private let pool: DatabasePool
  private let app = PlayedApp()
  private let time: BackgroundTime<PlayedApp>

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("t.db").path
    var configuration = Configuration()
    configuration.allowsSuspension = true
    let pool = try DatabasePool(path: path, configuration: configuration)
    self.pool = pool
    time = BackgroundTime(
      suspend: { _ = Self.suspend(pool) }, resume: { pool.resume() })
  }

  // The blocking form, as an expiration handler needs it.
  private static func suspend(_ pool: DatabasePool) -> SuspensionReport { pool.suspend() }

  // A failed expectation prints all parts of its operands; a pool has too many.
  private var isSuspended: Bool { pool.isSuspended }

  @Test func theExpirationSuspendsBeforeTheTaskEnds() throws {
    time.begin(in: app)
    #expect(!isSuspended)
    try pool.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
    var locksAtTheEnd: [String]?
    app.onEnd = { [path] in locksAtTheEnd = try? HeldLocks.onDatabase(at: path) }
    #expect(try !HeldLocks.onDatabase(at: path).isEmpty)
    app.expire?()
    #expect(locksAtTheEnd == [])
    #expect(app.ended == [1])
    #expect(isSuspended)
  }

  @Test func anAppThatReturnsInTimeIsNotSuspended() throws {
    time.begin(in: app)
    time.begin(in: app)
    time.end()
    #expect(app.begun == 1)
    #expect(app.ended == [1])
    // Too late: the task has ended already.
    app.expire?()
    #expect(!isSuspended)
    #expect(app.ended == [1])
  }

  @Test func withoutTimeTheDatabaseIsSuspendedAtOnceAndResumedInForeground() throws {
    app.givesTime = false
    time.begin(in: app)
    #expect(isSuspended)
    time.end()
    #expect(!isSuspended)
  }

  @Test func eachBackgroundPeriodHasItsOwnTime() throws {
    time.begin(in: app)
    app.expire?()
    // A background mode resumes, and requests time again.
    pool.resume()
    time.begin(in: app)
    #expect(app.begun == 2)
    #expect(!isSuspended)
    app.expire?()
    #expect(isSuspended)
    #expect(app.ended == [1, 2])
  }

  @Test func aManuallySuspendedDatabaseIsNotResumed() throws {
    time.begin(in: app)
    _ = Self.suspend(pool)
    time.end()
    #expect(isSuspended)
  }
}
