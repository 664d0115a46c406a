/// Benchmarks of checkpoints in which no other connection can restart the log: lost commits, and what a writer
/// pays, against SQLite's own automatic checkpoint.
struct CheckpointCases {
  /// The number of acts in the campaign.
  private let actCount: Int
  private let commitCount: Int

  init(isShort: Bool) {
    actCount = isShort ? 2000 : 40_000
    commitCount = isShort ? 4000 : 100_000
  }

  var all: [Case] {
    let campaign = Lazy { [actCount] in try CheckpointCampaign(roundCount: actCount) }
    let alone = rounds(.alone)
    let two = rounds(.besideAnother)
    let logs = rounds(.besideReaders)
    return [
      Case(
        "commits lost, four processes that checkpoint", unit: "commits", bound: .value(0),
        of: campaign, \.lostCount),
      Case(
        "index rows missing, four processes that checkpoint", unit: "rows", bound: .value(0),
        of: campaign, \.problemCount),
      alone.comparing("insert and commit, p50", unit: "us", quantile: 0.5, bound: .ratio(1.02)) {
        $0
      },
      alone.comparing(
        "insert and commit, p99.9", unit: "us", quantile: 0.999, bound: .ratio(1.15)
      ) { $0 },
      alone.comparing(
        "insert and commit, longest", unit: "us", quantile: 1, bound: .ratio(1.25)
      ) { $0 },
      two.comparing(
        "insert and commit beside another process, p50", unit: "us", quantile: 0.5,
        bound: .ratio(1.05)
      ) { $0 },
      two.comparing(
        "insert and commit beside another process, p99.9", unit: "us", quantile: 0.999,
        bound: .ratio(1.25)
      ) { $0 },
      two.comparing(
        "insert and commit beside another process, longest", unit: "us", quantile: 1,
        bound: .ratio(1.5)
      ) { $0 },
      logs.comparing(
        "largest log, four writers and readers that come and go", unit: "bytes", quantile: 1,
        bound: .ratio(1.5)
      ) { $0 },
    ]
  }

  private func rounds(_ company: CheckpointRounds.Company) -> Rounds<Times> {
    let rounds = CheckpointRounds(company: company, commitCount: commitCount)
    return Rounds {
      try rounds.run(.insertItems)
    } floor: {
      try rounds.run(.insertItemsWithOwnCheckpoint)
    }
  }
}
