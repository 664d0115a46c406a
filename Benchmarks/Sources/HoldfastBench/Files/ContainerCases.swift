import Foundation
import Synchronization

/// Benchmarks of random container histories against a model that knows each file.
struct ContainerCases {
  private let count: Int

  init(isShort: Bool) {
    count = isShort ? 50 : 10_000
  }

  private struct Sums {
    var lastSeed: UInt64 = 0
    var wronglyCleared = 0
    var leftWrong = 0
    var cleared = 0
  }

  /// What the threads share.
  private final class Progress: Sendable {
    let sums = Mutex(Sums())
  }

  var all: [Case] {
    let sums = Lazy { [count] in try Self.run(count) }
    return [
      Case(
        "records cleared whose file was there, \(count) histories", unit: "records",
        bound: .value(0), of: sums
      ) { $0.wronglyCleared },
      Case(
        "records left wrong whose file can be found, \(count) histories", unit: "records",
        bound: .value(0), of: sums
      ) { $0.leftWrong },
      Case(
        "records cleared whose file was gone, \(count) histories", unit: "records", bound: nil,
        of: sums
      ) { $0.cleared },
    ]
  }

  /// Runs the histories of the seeds from 1 on two threads, in memory where there is such a volume.
  private static func run(_ count: Int) throws -> Sums {
    let progress = Progress()
    try awaiting {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<2 {
          group.addTask {
            while let seed = nextSeed(progress, count) { try await run(seed: seed, progress) }
          }
        }
        try await group.waitForAll()
      }
    }
    return progress.sums.withLock { $0 }
  }

  private static func nextSeed(_ progress: Progress, _ count: Int) -> UInt64? {
    progress.sums.withLock { sums in
      guard sums.lastSeed < count else { return nil }
      sums.lastSeed += 1
      return sums.lastSeed
    }
  }

  private static func run(seed: UInt64, _ progress: Progress) async throws {
    let folder = try TemporaryDirectory(in: TemporaryDirectory.volumes.last ?? URL(filePath: "/"))
    let campaign = try LedgerCampaign(
      seed: seed, in: folder.url, random: SeededRandom(unprinted: seed))
    try await campaign.run()
    progress.sums.withLock { sums in
      sums.cleared += campaign.cleared
      sums.wronglyCleared += campaign.wronglyCleared
      sums.leftWrong += campaign.violations.count - campaign.wronglyCleared
    }
    for violation in campaign.violations {
      FileHandle.standardError.write(Data("HOLDFAST_SEED=\(seed): \(violation)\n".utf8))
    }
  }
}
