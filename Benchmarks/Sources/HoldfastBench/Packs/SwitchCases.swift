/// Benchmarks of upgrades while four processes read.
struct SwitchCases {
  private let count: Int

  init(isShort: Bool) {
    count = isShort ? 20 : 1000
  }

  var all: [Case] {
    let campaign = Lazy { [count] in try SwitchCampaign(count: count) }
    let during = "in 4 processes during \(count) upgrades"
    return [
      Case("errors of reads \(during)", unit: "errors", bound: .value(0), of: campaign) {
        $0.errorCount
      },
      Case("pools with two versions \(during)", unit: "pools", bound: .value(0), of: campaign) {
        $0.mixtureCount
      },
      Case(
        "old generations left after them", unit: "generations", bound: .value(0), of: campaign
      ) { $0.leftoverCount },
      Case("reads \(during)", unit: "reads", bound: nil, of: campaign) { $0.readCount },
    ]
  }
}
