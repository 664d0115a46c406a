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
    let kills = Lazy { [killCount] in try KillCampaign(count: killCount) }
    return campaign("tmpfs", memory, bounds: (500, 5000, 20_000))
      + campaign("tmpfs, everything beside", everything, bounds: (500, 5000, 20_000))
      + campaign("disk", disk, bounds: (500, 5000, 20_000))
      + [
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
    _ place: String, _ campaign: Lazy<SuspensionCampaign>,
    bounds: (p50: Double, p99: Double, max: Double)
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
        "suspend to no lock, p50, \(suffix)", unit: "us", bound: .value(bounds.p50), campaign,
        time { $0.quantile(0.50) }),
      constant(
        "suspend to no lock, p99, \(suffix)", unit: "us", bound: .value(bounds.p99), campaign,
        time { $0.quantile(0.99) }),
      constant(
        "suspend to no lock, max, \(suffix)", unit: "us", bound: .value(bounds.max), campaign,
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
