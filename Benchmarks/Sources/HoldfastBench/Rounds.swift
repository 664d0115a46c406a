/// Times of many operations, of which a case looks at one quantile.
struct Times {
  /// In ascending order.
  let sorted: [Double]

  init(_ times: [Double]) {
    sorted = times.sorted()
  }

  /// The time below which a share of the operations stayed.
  func quantile(_ quantile: Double) -> Double {
    sorted[Int(Double(sorted.count - 1) * quantile)]
  }
}

/// Rounds of many operations each, ours and the floor's in turns, that several cases look at.
///
/// Each case asks for the rounds in their order, and a round is run when it is asked for first. So a
/// ratio is that of two rounds that were run next to each other.
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
      // Whoever goes first is second in the next round.
      if ours.count.isMultiple(of: 2) {
        ours.append(try runOurs())
        floors.append(try runFloor())
      } else {
        floors.append(try runFloor())
        ours.append(try runOurs())
      }
    }
  }

  /// The first rounds of ours, which are run if they were not.
  func all(_ count: Int) throws -> [Ours] {
    try run(count)
    return Array(ours.prefix(count))
  }

  /// A case that compares one quantile of the times, round by round.
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
