/// One question: what some work costs with the library, and what it costs without.
struct Case {
  let name: String

  /// What the readings are counted in.
  let unit: String
  let bound: Bound?

  /// How many times as many runs it needs, where single ones differ much.
  let rounds: Int
  let ours: Probe

  /// The same work without the library, in C; `nil` where only the value itself counts.
  let floor: Probe?

  init(
    _ name: String, unit: String, bound: Bound?, rounds: Int = 1, ours: Probe, floor: Probe?
  ) {
    self.name = name
    self.unit = unit
    self.bound = bound
    self.rounds = rounds
    self.ours = ours
    self.floor = floor
  }

  /// Runs both sides in turns.
  ///
  /// The first run of each warms up and counts allocations; it is in none of the figures. Whoever
  /// goes first is second in the next pair, so that what one side leaves behind hurts both alike.
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
