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
        func row(
          _ name: String, unit: String, bound: Bound?, _ value: @escaping (PackCampaign) -> Int
        ) -> Case {
          Case(
            name, unit: unit, bound: bound,
            ours: Probe { _ in
              Reading(value: Double(value(try campaign.value)), allocations: nil, proof: 0)
            }, floor: nil)
        }
        return [
          row(
            "lost or left after \(ending.name) of the \(work.name)", unit: "violations",
            bound: .value(0)
          ) { $0.violationCount },
          row("states after \(ending.name) of the \(work.name)", unit: "states", bound: nil) {
            $0.stateCount
          },
        ]
      }
    }
  }
}
