import Foundation

/// Benchmarks of repairing all records after the container has moved, and of the check that decides
/// at launch whether it has.
struct RepairCases {
  private let sizes: [Int]
  private let folderCount: Int
  private let smallSize: Int

  init(isShort: Bool) {
    sizes = isShort ? [1000, 2000] : [100_000, 1_000_000]
    folderCount = isShort ? 100 : 1000
    smallSize = isShort ? 100 : 1000
  }

  var all: [Case] {
    let containers = sizes.map { [folderCount] size in
      Lazy { try MovedContainer(recordCount: size, folderCount: folderCount) }
    }
    let small = Lazy { [smallSize] in
      try MovedContainer(recordCount: smallSize, folderCount: smallSize / 10).repairMemory()
    }
    let repairs = zip(sizes, containers).map { [folderCount] size, container in
      Case(
        "repair of \(size) records in \(folderCount) folders, container moved", unit: "ms",
        bound: Self.repairBound, ours: Self.lazy(container) { $0.repair },
        floor: Self.lazy(container) { $0.floor })
    }
    let memory = zip(sizes, containers).map { [smallSize] size, container in
      let peak = Lazy { (try container.value.repairMemory() - small.value).mebibytes }
      return Case(
        "peak memory of that with \(size) records, above \(smallSize)", unit: "MiB",
        bound: .value(32),
        ours: Probe { _ in Reading(value: try peak.value, allocations: nil, proof: 0) },
        floor: nil)
    }
    let last = containers[containers.count - 1]
    let reads = Lazy { try last.value.directoryReads() }
    return repairs + memory + [
      Case(
        "launch check, nothing moved, \(sizes[sizes.count - 1]) records", unit: "us",
        bound: .value(1000), ours: Self.lazy(last) { $0.launchCheck },
        floor: Self.lazy(last) { $0.launchCheckFloor }),
      Case(
        "folders that the launch check reads", unit: "reads", bound: .value(0),
        ours: Probe { _ in Reading(value: Double(try reads.value), allocations: nil, proof: 0) },
        floor: nil),
    ]
  }

  private static let repairBound = Bound.ratio(1.5).unreached(
    "C updates the rows in the order in which it finds them, because theirs come folder by folder; "
      + "a repair orders them, so that each folder is read once whatever their order, and "
      + "compares each row with what was examined before it writes",
    profile:
      "41000 instructions per row to C's 9000: 8500 ordering the rows, 7000 fetching them in "
      + "that order, 12000 the update with its comparisons, of which 7000 in SQLite, 1300 its "
      + "report, 9000 reading paths and looking names up; kernel time is a quarter of the whole")

  private static func lazy(
    _ container: Lazy<MovedContainer>, _ probe: @escaping (MovedContainer) -> Probe
  ) -> Probe {
    Probe { counts in try probe(container.value).read(counts) }
  }
}
