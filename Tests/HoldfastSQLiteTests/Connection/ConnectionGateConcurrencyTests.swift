import Dispatch
import Foundation
import HoldfastTestSupport
import Synchronization
import Testing

@testable import HoldfastSQLite

@Suite(.timeLimit(.minutes(2))) struct ConnectionGateConcurrencyTests {
  /// What the access and the claimant share: whoever is inside, or closes, adds to it without a lock.
  // Sendable because the gate orders the uses, which is what the test is about.
  private final class Connection: Sendable {
    nonisolated(unsafe) var useCount = 0
    nonisolated(unsafe) var rowCopyCount = 0
    let closingCount = Atomic(0)
  }

  /// Of many claims while an access comes and goes, each closes the connection once, and never under the access.
  @Test(arguments: [true, false]) func oneOfTheTwoCloses(usesProcessBarrier: Bool) async throws {
    var found: [ConnectionGate.Claim] = []
    for round in 1...300 {
      let gate = ConnectionGate(usesProcessBarrier: usesProcessBarrier)
      let connection = Connection()
      let hasBegun = Gate()
      let access = OwnThread {
        func close() {
          guard gate.takesOnClosing() else { return }
          connection.closingCount.add(1, ordering: .relaxed)
          unsafe connection.useCount = -1
          gate.reportClosed()
        }
        var count = 0
        while gate.enter() {
          // Not after the end.
          guard unsafe connection.useCount >= 0 else { return -1 }
          unsafe connection.useCount += 1
          count += 1
          if gate.leave() {
            close()
            return count
          }
          if count == 3 { hasBegun.open() }
        }
        close()
        gate.waitForClaim()
        return unsafe connection.rowCopyCount > 1 ? -1 : count
      }
      try await onOwnThread {
        hasBegun.wait()
        for _ in 0..<round % 100 { _ = gate.isClaimed }
      }
      let claim = gate.claim { unsafe connection.rowCopyCount += 1 }
      found.append(claim)
      switch claim {
      case .free:
        connection.closingCount.add(1, ordering: .relaxed)
        unsafe connection.useCount = -1
      case .occupied:
        try await onOwnThread { _ = gate.waitUntilClosed(until: .distantFuture) }
      case .alreadyClaimed:
        Issue.record("Nobody else claims it.")
      }
      #expect(gate.claim {} == .alreadyClaimed)
      #expect(try await access.value >= 3)
      #expect(connection.closingCount.load(ordering: .relaxed) == 1)
      #expect(unsafe connection.useCount == -1)
    }
    // Otherwise only one of the two was tried.
    #expect(Set(found) == [.free, .occupied])
  }

  /// Without the barrier an access and a claim of the same moment both succeed in one of some hundred rounds.
  @Test(arguments: [true, false])
  func anAccessAndAClaimDoNotMissEachOther(usesProcessBarrier: Bool) async throws {
    let gates = (0..<50_000).map { _ in ConnectionGate(usesProcessBarrier: usesProcessBarrier) }
    let meeting = Meeting()
    let access = OwnThread {
      gates.indices.map { round in
        meeting.meet(round)
        return gates[round].enter()
      }
    }
    let claims = try await onOwnThread {
      gates.indices.map { round in
        meeting.meet(round)
        return gates[round].claim {} == .free
      }
    }
    let entries = try await access.value
    #expect(!zip(entries, claims).contains { $0 && $1 })
    // Otherwise one of them was always first.
    #expect(entries.contains(true) && claims.contains(true))
  }

  /// Where two threads wait for each other, so that they go on at the same moment.
  private final class Meeting: Sendable {
    private let arrivals = Atomic(0)

    /// Waits until both threads have called it as often.
    func meet(_ round: Int) {
      arrivals.add(1, ordering: .sequentiallyConsistent)
      var tries = 0
      while arrivals.load(ordering: .sequentiallyConsistent) < 2 * (round + 1) {
        tries += 1
        if tries > 1000 { sched_yield() }
      }
    }
  }
}
