import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Synchronization
import Testing

@testable import Holdfast

/// The thread that watches a database.
@Suite(.serialized, .timeLimit(.minutes(2))) struct WatchLoopTests {
  @Test func withoutDescriptorsAPoolIsNotifiedAndTheWatchRecovers() async {
    await #expect(processExitsWith: .success) {
      let database = try WatchedDatabase()
      let other = try SQLProcess(.tool, on: database.path)
      try await other.execute("UPDATE t SET x = 1")
      let descriptors = await UsedUpDescriptors()
      let (changes, task) = WatchedDatabase.gather(database.writer.externalChanges)
      let health = try #require(database.writer.watchHealth)
      #expect(!health.isNotifiedBySystem)
      #expect(health.systemProblem?.contains("Too many open files") == true)
      #expect(health.databaseProblem?.contains("unable to open") == true)
      for number in 2...4 {
        let count = changes.entries.count
        try await other.execute("UPDATE t SET x = \(number)")
        await until { changes.entries.count > count }
      }
      descriptors.release()
      await until {
        let health = database.writer.watchHealth
        return health?.systemProblem == nil && health?.databaseProblem == nil
      }
      #expect(database.writer.watchHealth?.isNotifiedBySystem == true)
      let count = changes.entries.count
      try await other.execute("UPDATE t SET x = 5")
      await until { changes.entries.count > count }
      task.cancel()
    }
  }

  @Test func withoutDescriptorsAnUnopenedDatabaseIsWatched() async {
    await #expect(processExitsWith: .success) {
      let database = try WatchedDatabase()
      let other = try SQLProcess(.tool, on: database.path)
      try await other.execute("UPDATE t SET x = 1")
      // A recent write is reported once more in any case.
      let fingerprint = Mutex(CommitFingerprint(DatabaseFiles(main: FilePath(database.path))))
      let descriptors = await UsedUpDescriptors()
      await until { !fingerprint.withLock { $0.update() } }
      let (received, task) = WatchedDatabase.gather(
        try ExternalChanges(databaseAt: URL(filePath: database.path)))
      #expect(received.entries == [])
      try await other.execute("UPDATE t SET x = 2")
      await until { !received.entries.isEmpty }
      // The system reports changes again: the watch creates the signal file.
      let signal = database.path + "-signal"
      #expect(!FileManager.default.fileExists(atPath: signal))
      descriptors.release()
      await until { FileManager.default.fileExists(atPath: signal) }
      task.cancel()
    }
  }

  @Test func noCommitIsMissedWhenTheDescriptorsRunOut() async {
    await #expect(processExitsWith: .success) {
      let database = try WatchedDatabase()
      let other = try SQLProcess(.tool, on: database.path)
      let (values, observation) = database.observe()
      try await other.execute("UPDATE t SET x = 1")
      await until { values.entries.last == 1 }
      let descriptors = await UsedUpDescriptors()
      for number in 2...5 {
        try await other.execute("UPDATE t SET x = \(number)")
        await until { values.entries.last == number }
      }
      descriptors.release()
      observation.cancel()
    }
  }

  @Test func withoutADescriptorItIsNudgedAndEndedToo() async throws {
    let folder = try TemporaryDirectory()
    var settings = WatchSettings()
    settings.requestsSystemEvents = false
    settings.pace = PollBackoff.Pace(pauses: [], poll: .seconds(3600))
    settings.pollWithoutSystem = .seconds(3600)
    let looks = Journal<Void>()
    var loop: WatchLoop? = WatchLoop(
      DatabaseFiles(main: FilePath(folder.file("a.db").path)), settings)
    weak let ended = loop
    loop?.begin {
      looks.append(())
      return .nothing
    }
    for count in 1...3 {
      await until { looks.entries.count == count }
      loop?.nudge()
    }
    await until { looks.entries.count == 4 }
    loop?.end()
    loop = nil
    await until { ended == nil }
  }

  @Test func anEndedLoopDoesNotProbe() async throws {
    let folder = try TemporaryDirectory()
    let looks = Journal<Void>()
    var loop: WatchLoop? = WatchLoop(
      DatabaseFiles(main: FilePath(folder.file("a.db").path)), WatchSettings())
    weak let ended = loop
    loop?.begin {
      looks.append(())
      return .nothing
    }
    loop?.end()
    let count = looks.entries.count
    loop?.end()
    loop?.nudge()
    loop = nil
    await until { ended == nil }
    // The probe in progress.
    #expect(looks.entries.count <= count + 1)
  }
}
