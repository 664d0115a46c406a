/// What the runs of a case found.
struct Measurement {
  let name: String
  let unit: String
  let bound: Bound?

  /// The readings of each run; `floor` has its partner at the same index.
  let ours: [Double]
  let floor: [Double]?

  /// Per operation, of the run that counted them.
  let allocations: Double?
  let floorAllocations: Double?

  var value: Double { ours.median }
  var reference: Double? { floor?.median }

  /// Ours divided by the floor, pair by pair: what slows the machine slows both of a pair.
  var ratios: [Double]? {
    floor.map { zip(ours, $0).map { $0 / $1 } }
  }

  var ratio: Double? { ratios?.median }

  /// Whether the number of the bound is reached; `nil` without a bound.
  var isReached: Bool? {
    guard let bound else { return nil }
    switch bound.subject {
    case .ratio: return ratio.map { $0 <= bound.limit }
    case .value: return value <= bound.limit
    }
  }

  /// Whether a bound that counts today is missed.
  var isMissed: Bool {
    guard let bound, case .enforced = bound.standing else { return false }
    return isReached != true
  }
}

extension [Double] {
  /// The value in the middle; of an even number of values the mean of the two in the middle.
  var median: Double {
    let values = sorted()
    return (values[(count - 1) / 2] + values[count / 2]) / 2
  }
}
