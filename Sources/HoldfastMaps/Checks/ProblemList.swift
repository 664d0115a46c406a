/// The problems that a check has found so far, in the order in which each kind was found first.
struct ProblemList: Hashable, Sendable {
  private(set) var problems: [TilesetProblem] = []

  /// Adds the problems of another list.
  mutating func add(_ other: ProblemList) {
    for problem in other.problems { add(problem) }
  }

  /// Adds a problem; one of the same kind and severity is counted, and keeps its first sentence.
  mutating func add(_ problem: TilesetProblem) {
    let index = problems.firstIndex {
      $0.kind == problem.kind && $0.severity == problem.severity
    }
    if let index {
      problems[index].count += problem.count
    } else {
      problems.append(problem)
    }
  }
}
