/// A benchmark that compares the cost of some work with and without the library.
struct Case {
  let name: String

  /// The unit of the readings.
  let unit: String
  let bound: Bound?

  /// The factor by which the number of runs is multiplied, where single runs differ much.
  let rounds: Int
  let ours: Probe

  /// The same work without the library, in C; `nil` if only the value itself matters.
  let floor: Probe?

  /// Returns why the case cannot be run here; `nil` when it can.
  let absence: () throws -> String?

  init(
    _ name: String, unit: String, bound: Bound?, rounds: Int = 1, ours: Probe, floor: Probe?,
    absence: @escaping () throws -> String? = { nil }
  ) {
    self.name = name
    self.unit = unit
    self.bound = bound
    self.rounds = rounds
    self.ours = ours
    self.floor = floor
    self.absence = absence
  }

  /// Creates a case whose value is a count that some work finds once, for several cases.
  init<Work>(
    _ name: String, unit: String, bound: Bound?, of work: Lazy<Work>,
    _ count: @escaping (Work) -> Int
  ) {
    self.init(
      name, unit: unit, bound: bound,
      ours: Probe { _ in
        Reading(value: Double(count(try work.value)), allocations: nil, proof: 0)
      }, floor: nil)
  }

  /// Runs both sides alternately.
  ///
  /// The first run of each is a warm-up and counts allocations; it is not included in the figures.
  /// The side that runs first is second in the next pair, so that side effects of one side affect
  /// both equally.
  func measure(runs: Int) throws -> Measurement {
    let first = try pair(oursGoesFirst: true, countingAllocations: true)
    let pairs = try (0..<runs * rounds).map { index in
      try pair(oursGoesFirst: !index.isMultiple(of: 2), countingAllocations: false)
    }
    return Measurement(
      name: name, unit: unit, bound: bound, ours: pairs.map(\.ours.value),
      floor: floor == nil ? nil : pairs.compactMap { $0.floor?.value },
      allocations: first.ours.allocations, floorAllocations: first.floor?.allocations)
  }

  private func pair(
    oursGoesFirst: Bool, countingAllocations: Bool
  ) throws -> (ours: Reading, floor: Reading?) {
    guard let floor else { return (try ours.read(countingAllocations), nil) }
    let ours: Reading
    let other: Reading
    if oursGoesFirst {
      ours = try self.ours.read(countingAllocations)
      other = try floor.read(countingAllocations)
    } else {
      other = try floor.read(countingAllocations)
      ours = try self.ours.read(countingAllocations)
    }
    guard ours.proof == other.proof else {
      throw BenchmarkError.differentWork(name, ours: ours.proof, floor: other.proof)
    }
    return (ours, other)
  }
}
