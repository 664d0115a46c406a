import Foundation

/// Benchmarks that end the work with a pack at each of its calls.
struct PackCampaignCases {
  /// The number of calls of each kind of work; `nil` for each one.
  private let count: Int?

  init(isShort: Bool) {
    count = isShort ? 8 : nil
  }

  var all: [Case] {
    PackCampaign.Ending.allCases.flatMap { [count] ending in
      PackCampaign.Work.allCases.flatMap { work in
        let campaign = Lazy {
          do {
            return try PackCampaign(work, endingBy: ending, count: count)
          } catch PackCampaignError.notTraced {
            throw BenchmarkError.notTraced()
          } catch PackCampaignError.failed(let reason) {
            throw BenchmarkError.childFailed(reason)
          }
        }
        return [
          Case(
            "lost or left after \(ending.name) of the \(work.name)", unit: "violations",
            bound: .value(0), of: campaign
          ) { $0.violationCount },
          Case(
            "states after \(ending.name) of the \(work.name)", unit: "states", bound: nil,
            of: campaign
          ) { $0.stateCount },
        ]
      }
    }
  }
}
