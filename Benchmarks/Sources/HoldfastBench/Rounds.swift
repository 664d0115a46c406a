/// The times of many operations, of which a case uses one quantile.
struct Times {
  /// The times in ascending order.
  let sorted: [Double]

  init(_ times: [Double]) {
    sorted = times.sorted()
  }

  /// Returns the time that a given fraction of the operations did not exceed.
  func quantile(_ quantile: Double) -> Double {
    sorted[Int(Double(sorted.count - 1) * quantile)]
  }
}

/// Rounds of many operations each, ours and the floor's alternately, that several cases share.
///
/// Each case requests the rounds in their order, and a round is run on its first request. So a
/// ratio is that of two consecutive rounds.
final class Rounds<Ours> {
  private let runOurs: () throws -> Ours
  private let runFloor: () throws -> Times
  private var ours: [Ours] = []
  private var floors: [Times] = []

  init(ours: @escaping () throws -> Ours, floor: @escaping () throws -> Times) {
    runOurs = ours
    runFloor = floor
  }

  private func run(_ count: Int) throws {
    while ours.count < count {
      // The side that runs first is second in the next round.
      if ours.count.isMultiple(of: 2) {
        ours.append(try runOurs())
        floors.append(try runFloor())
      } else {
        floors.append(try runFloor())
        ours.append(try runOurs())
      }
    }
  }

  /// Returns our first rounds, which are run if necessary.
  func all(_ count: Int) throws -> [Ours] {
    try run(count)
    return Array(ours.prefix(count))
  }

  /// Returns a case that compares one quantile of the times, round by round.
  func comparing(
    _ name: String, unit: String, quantile: Double, bound: Bound, _ times: @escaping (Ours) -> Times
  ) -> Case {
    // Each side is read once per round.
    var oursRead = 0
    var floorRead = 0
    return Case(
      name, unit: unit, bound: bound,
      ours: Probe { [self] _ in
        oursRead += 1
        try run(oursRead)
        let times = times(ours[oursRead - 1])
        return Reading(
          value: times.quantile(quantile), allocations: nil, proof: UInt64(times.sorted.count))
      },
      floor: Probe { [self] _ in
        floorRead += 1
        try run(floorRead)
        let times = floors[floorRead - 1]
        return Reading(
          value: times.quantile(quantile), allocations: nil, proof: UInt64(times.sorted.count))
      })
  }
}
