import Foundation

/// Benchmarks of suspending a database at any moment: remaining locks, duration and lost commits.
struct SuspensionCases {
  private let count: Int
  /// The number of rounds, including the warm-up.
  private let roundCount: Int
  private let killCount: Int

  init(isShort: Bool) {
    count = isShort ? 100 : 500
    roundCount = isShort ? 2 : 11
    killCount = isShort ? 10 : 1000
  }

  var all: [Case] {
    let statements = Lazy { [count] in
      try SuspensionCampaign(count: 10 * count, .statements, in: BenchFolder.inMemory)
    }
    let kills = Lazy { [killCount] in try KillCampaign(count: killCount) }
    return campaign("tmpfs", .accesses, in: BenchFolder.inMemory)
      + campaign("tmpfs, everything beside", .everything, in: BenchFolder.inMemory)
      + campaign("disk", .accesses, in: FileManager.default.temporaryDirectory)
      + [
        constant(
          "locks held after suspensions, statements of every kind", unit: "locks",
          bound: .value(0), statements
        ) { Double($0.heldLockCount) },
        constant(
          "commits lost, half applied or not observed, statements of every kind", unit: "commits",
          bound: .value(0), statements
        ) { Double($0.lostCount) },
        constant(
          "commits lost or half applied over SIGKILLs", unit: "commits", bound: .value(0), kills
        ) { Double($0.lostCount) },
        constant(
          "waits of another writer for a suspended, stopped process", unit: "waits",
          bound: .value(0), Lazy { try StoppedProcess() }
        ) { Double($0.waitCount) },
      ]
  }

  private func campaign(
    _ place: String, _ work: SuspensionCampaign.Work, in folder: URL
  ) -> [Case] {
    let rounds = Rounds { [count] in
      try SuspensionCampaign(count: count, work, in: folder)
    } floor: { [count] in
      try SuspensionCampaign.floor(count: count, work, in: folder)
    }
    let all = Lazy { [roundCount] in try rounds.all(roundCount) }
    // On a disk a commit may be syncing, which cannot be interrupted.
    let isOnDisk = place == "disk"
    return [
      constant(
        "locks held after suspensions, \(place)", unit: "locks", bound: .value(0), all
      ) { Double($0.map(\.heldLockCount).reduce(0, +)) },
      constant(
        "commits lost or half applied over suspensions, \(place)", unit: "commits",
        bound: .value(0), all
      ) { Double($0.map(\.lostCount).reduce(0, +)) },
      rounds.comparing(
        "suspend to no lock, p50, \(place)", unit: "us", quantile: 0.50, bound: .ratio(2)
      ) { $0.times },
      rounds.comparing(
        "suspend to no lock, p99, \(place)", unit: "us", quantile: 0.99, bound: .ratio(2)
      ) { $0.times },
      constant(
        "suspend to no lock, max, \(place)" + (isOnDisk ? ", less the slowest sync" : ""),
        unit: "us", bound: .value(20_000), all
      ) { rounds in
        rounds.map { max(0, $0.times.quantile(1) - (isOnDisk ? $0.slowestSync : 0)) }.max() ?? 0
      },
    ]
  }

  /// Returns a case whose campaign runs once, however often it is read.
  private func constant<Source>(
    _ name: String, unit: String, bound: Bound, _ source: Lazy<Source>,
    _ value: @escaping (Source) -> Double
  ) -> Case {
    Case(
      name, unit: unit, bound: bound,
      ours: Probe { _ in Reading(value: value(try source.value), allocations: nil, proof: 0) },
      floor: nil)
  }
}

/// A value that is created on first use.
final class Lazy<Value> {
  private let make: () throws -> Value
  private var made: Value?

  init(_ make: @escaping () throws -> Value) {
    self.make = make
  }

  var value: Value {
    get throws {
      if let made { return made }
      let value = try make()
      made = value
      return value
    }
  }
}
