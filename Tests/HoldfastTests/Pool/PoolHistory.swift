/// The writes and reads of several threads on one database, checked afterwards.
///
/// Each commit increments a number in the database, so that the database itself determines the
/// order of the commits and which of them a read has seen. One clock counts the times for all
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
    /// The number of visible commits.
    var version: Int
    var content: [Int: Int]
    var began: Int
    var ended: Int
    /// The required version where it does not follow from the times: that of a snapshot, or of the
    /// write that started the read.
    var expectedVersion: Int?
  }

  var commits: [Commit] = []
  var observations: [Observation] = []

  /// Observations that contradict a dictionary with transactions.
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

  /// Returns the allowed versions: all commits that ended before, and none that had not begun.
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
