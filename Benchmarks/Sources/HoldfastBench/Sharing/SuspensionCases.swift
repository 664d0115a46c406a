import Foundation

/// Suspending a database at any moment: what is left, how long it takes, what is lost.
struct SuspensionCases {
  private let count: Int
  private let killCount: Int

  init(isShort: Bool) {
    count = isShort ? 100 : 5000
    killCount = isShort ? 10 : 1000
  }

  var all: [Case] {
    let memory = Lazy { [count] in
      try SuspensionCampaign(count: count, .accesses, in: Self.memoryFolder)
    }
    let disk = Lazy { [count] in
      try SuspensionCampaign(count: count, .accesses, in: FileManager.default.temporaryDirectory)
    }
    let everything = Lazy { [count] in
      try SuspensionCampaign(count: count, .everything, in: Self.memoryFolder)
    }
    let statements = Lazy { [count] in
      try SuspensionCampaign(count: count, .statements, in: Self.memoryFolder)
    }
    let kills = Lazy { [killCount] in try KillCampaign(count: killCount) }
    let recovery = Bound.value(500).unreached(
      "a suspension that follows a resume within a millisecond meets connections that recover the log",
      profile: """
        two processors; 57 % of all their time goes into opening, 85 % of that into SQLite's recovery, \
        which nothing interrupts; the suspending thread works for 115 us and waits for the rest
        """)
    return campaign("tmpfs", memory, median: .value(500))
      + campaign("tmpfs, everything beside", everything, median: recovery)
      + campaign("disk", disk, median: .value(500))
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
    _ place: String, _ campaign: Lazy<SuspensionCampaign>, median: Bound
  ) -> [Case] {
    // On a disk a commit may be in its sync, which nothing interrupts.
    func time(_ value: @escaping (SuspensionCampaign) -> Double) -> (SuspensionCampaign) -> Double {
      place == "disk" ? { max(0, value($0) - $0.slowestSync) } : value
    }
    let suffix = place == "disk" ? "disk, less the slowest sync" : place
    return [
      constant(
        "locks held after suspensions, \(place)", unit: "locks", bound: .value(0), campaign
      ) { Double($0.heldLockCount) },
      constant(
        "commits lost or half applied over suspensions, \(place)", unit: "commits",
        bound: .value(0), campaign
      ) { Double($0.lostCount) },
      constant(
        "suspend to no lock, p50, \(suffix)", unit: "us", bound: median, campaign,
        time { $0.quantile(0.50) }),
      constant(
        "suspend to no lock, p99, \(suffix)", unit: "us", bound: .value(5000), campaign,
        time { $0.quantile(0.99) }),
      constant(
        "suspend to no lock, max, \(suffix)", unit: "us", bound: .value(20_000), campaign,
        time { $0.quantile(1) }),
    ]
  }

  /// A case whose campaign runs once, however often it is read.
  private func constant<Source>(
    _ name: String, unit: String, bound: Bound, _ source: Lazy<Source>,
    _ value: @escaping (Source) -> Double
  ) -> Case {
    Case(
      name, unit: unit, bound: bound,
      ours: Probe { _ in Reading(value: value(try source.value), allocations: nil, proof: 0) },
      floor: nil)
  }

  private static var memoryFolder: URL {
    let memory = URL(filePath: "/dev/shm")
    return FileManager.default.isWritableFile(atPath: memory.path)
      ? memory : FileManager.default.temporaryDirectory
  }
}

/// Something that is made when it is first asked for.
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
