/// Benchmarks of upgrades while four processes read.
struct SwitchCases {
  private let count: Int

  init(isShort: Bool) {
    count = isShort ? 20 : 1000
  }

  var all: [Case] {
    let campaign = Lazy { [count] in try SwitchCampaign(count: count) }
    func row(
      _ name: String, unit: String, bound: Bound?, _ value: @escaping (SwitchCampaign) -> Int
    ) -> Case {
      Case(
        name, unit: unit, bound: bound,
        ours: Probe { _ in
          Reading(value: Double(value(try campaign.value)), allocations: nil, proof: 0)
        }, floor: nil)
    }
    let during = "in 4 processes during \(count) upgrades"
    return [
      row("errors of reads \(during)", unit: "errors", bound: .value(0)) { $0.errorCount },
      row("pools with two versions \(during)", unit: "pools", bound: .value(0)) {
        $0.mixtureCount
      },
      row("old generations left after them", unit: "generations", bound: .value(0)) {
        $0.leftoverCount
      },
      row("reads \(during)", unit: "reads", bound: nil) { $0.readCount },
    ]
  }
}
