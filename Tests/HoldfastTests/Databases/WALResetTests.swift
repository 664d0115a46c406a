import Foundation
import HoldfastTestSupport
import Testing

@testable import Holdfast

/// Checkpoints in whose middle another connection commits, after the log was moved as a whole.
///
/// With such a commit a SQLite that has the WAL-reset bug loses later ones; see ``SQLiteLibrary``. Each test
/// needs its own process, because the moments are of a whole process.
@Suite(
  .disabled(if: ConnectionKeys.areUsed, "a key is given before the faults are installed"),
  .timeLimit(.minutes(2)))
struct WALResetTests {
  @Test(arguments: CheckpointStart.allCases, LogResetRace.Committer.allCases)
  func aCommitInTheMiddleLosesNothing(start: CheckpointStart, committer: LogResetRace.Committer)
    async
  {
    await #expect(processExitsWith: .success) { [start, committer] in
      let race = try LogResetRace(committer: committer)
      try race.runWithCommitInside { try start.perform(on: race) }
      #expect(try race.losses() == [])
    }
  }

  /// A checkpoint that waits for a writer in vain goes on as a passive one.
  @Test(
    arguments: [Database.CheckpointMode.full, .restart, .truncate].map(\.rawValue), [false, true])
  func aWriterThatIsWaitedForInVainLosesNothing(mode: CInt, isPragma: Bool) async {
    await #expect(processExitsWith: .success) { [mode, isPragma] in
      let race = try LogResetRace(committer: .same)
      let mode = try #require(Database.CheckpointMode(rawValue: mode))
      try race.runWithWriterInside {
        try race.pool().writeWithoutTransaction { db in
          if isPragma {
            _ = try Row.fetchAll(db, sql: "PRAGMA wal_checkpoint(\(mode))")
          } else {
            #expect(throws: DatabaseError.self) { try db.checkpoint(mode) }
          }
        }
      }
      #expect(try race.losses() == [])
    }
  }

  /// The last connection checkpoints when it closes, without the lock, but nobody can use the file meanwhile.
  @Test func theLastConnectionToCloseRefusesACommitInTheMiddle() async {
    await #expect(processExitsWith: .success) {
      let race = try LogResetRace(committer: .same)
      let code = try race.closeLastWithCommitInside()
      #expect(ResultCode(rawValue: code) == .SQLITE_BUSY)
      #expect(try race.firstText() == "moved")
    }
  }

  /// The order of the other tests is the one that loses commits.
  @Test func plainSQLiteLosesCommits() async {
    await #expect(processExitsWith: .success) {
      let race = try LogResetRace(committer: .same)
      try race.runWithCommitInside {
        #expect(race.runPlainly("PRAGMA wal_checkpoint") == 0)
      }
      #expect(try race.losses().isEmpty != SQLiteLibrary.current.hasWALResetBug)
    }
  }
}
