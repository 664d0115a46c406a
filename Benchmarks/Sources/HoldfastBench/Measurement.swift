/// The results of a case's runs.
struct Measurement {
  let name: String
  let unit: String
  let bound: Bound?

  /// The reading of each run; `floor` has its counterpart at the same index.
  let ours: [Double]
  let floor: [Double]?

  /// The allocations per operation, in the run that counted them.
  let allocations: Double?
  let floorAllocations: Double?

  var value: Double { ours.median }
  var reference: Double? { floor?.median }

  /// Our readings divided by those of the floor, pair by pair: load on the machine affects both.
  var ratios: [Double]? {
    floor.map { zip(ours, $0).map { $0 / $1 } }
  }

  var ratio: Double? { ratios?.median }

  /// Whether the bound is kept; `nil` without a bound.
  var isReached: Bool? {
    guard let bound else { return nil }
    switch bound.subject {
    case .ratio: return ratio.map { $0 <= bound.limit }
    case .value: return value <= bound.limit
    }
  }

  /// Whether an enforced bound is missed.
  var isMissed: Bool {
    guard let bound, case .enforced = bound.standing else { return false }
    return isReached != true
  }
}

extension [Double] {
  /// The median; for an even number of values, the mean of the two in the middle.
  var median: Double {
    let values = sorted()
    return (values[(count - 1) / 2] + values[count / 2]) / 2
  }
}
