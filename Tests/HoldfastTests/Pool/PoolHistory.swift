/// What several threads did to one database and saw of it, to be judged afterwards.
///
/// Each commit counts a number in the database up, so that the database itself says in which order
/// the commits came and which of them a read has seen. Moments are counted by one clock for all
/// threads.
struct PoolHistory: Sendable {
  enum Change: Sendable {
    case put(key: Int, value: Int)
    case delete(key: Int)
  }

  struct Commit: Sendable {
    var number: Int
    var changes: [Change]
    var began: Int
    var ended: Int
  }

  struct Observation: Sendable {
    /// How many commits were seen.
    var version: Int
    var content: [Int: Int]
    var began: Int
    var ended: Int
    /// What had to be seen, when it does not follow from the moments: a snapshot's version, or the
    /// one of the write that started the read.
    var expectedVersion: Int?
  }

  var commits: [Commit] = []
  var observations: [Observation] = []

  /// Everything that could not have happened to a dictionary with transactions.
  var problems: [String] {
    let commits = commits.sorted { $0.number < $1.number }
    guard commits.map(\.number) == Array(1..<commits.count + 1) else {
      return ["The commits have the numbers \(commits.map(\.number))."]
    }
    var problems = outOfOrder(commits)
    let states = commits.reduce(into: [[:]]) { states, commit in
      states.append(commit.changes.reduce(into: states[states.count - 1], Self.apply))
    }
    for observation in observations {
      guard states.indices.contains(observation.version) else {
        problems.append("Version \(observation.version) was seen, and never committed.")
        continue
      }
      if observation.content != states[observation.version] {
        problems.append(
          "Version \(observation.version) was seen as \(observation.content), "
            + "but is \(states[observation.version]).")
      }
      if let version = observation.expectedVersion {
        if observation.version != version {
          problems.append("Version \(observation.version) was seen in place of \(version).")
        }
        continue
      }
      let possible = possibleVersions(for: observation)
      if !possible.contains(observation.version) {
        problems.append("Version \(observation.version) was seen, but only \(possible) can be.")
      }
    }
    return problems
  }

  /// Whatever had ended before must be seen, and nothing that had not begun.
  private func possibleVersions(for observation: Observation) -> ClosedRange<Int> {
    let seenBefore = observations.filter {
      $0.expectedVersion == nil && $0.ended < observation.began
    }
    let oldest =
      commits.filter { $0.ended < observation.began }.map(\.number) + seenBefore.map(\.version)
    let newest = commits.filter { $0.began < observation.ended }.map(\.number)
    let lowest = oldest.max() ?? 0
    return lowest...max(lowest, newest.max() ?? 0)
  }

  private func outOfOrder(_ commits: [Commit]) -> [String] {
    commits.enumerated().flatMap { index, commit in
      commits[index...].filter { $0.ended < commit.began }.map {
        "Commit \($0.number) ended before commit \(commit.number) began."
      }
    }
  }

  private static func apply(_ content: inout [Int: Int], _ change: Change) {
    switch change {
    case .put(let key, let value): content[key] = value
    case .delete(let key): content[key] = nil
    }
  }
}
