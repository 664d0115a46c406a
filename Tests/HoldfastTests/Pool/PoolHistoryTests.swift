import Testing

/// The checker itself: it finds the failures of a broken pool.
@Suite struct PoolHistoryTests {
  private typealias Commit = PoolHistory.Commit
  private typealias Observation = PoolHistory.Observation

  private let commits = [
    Commit(number: 1, changes: [.put(key: 1, value: 10)], began: 1, ended: 4),
    Commit(
      number: 2, changes: [.delete(key: 1), .put(key: 2, value: 20)], began: 5, ended: 8),
  ]

  private func problems(_ commits: [Commit], _ observations: Observation...) -> [String] {
    PoolHistory(commits: commits, observations: observations).problems
  }

  @Test func aPossibleHistoryHasNoProblem() {
    let problems = problems(
      commits,
      Observation(version: 0, content: [:], began: 0, ended: 9),
      Observation(version: 1, content: [1: 10], began: 2, ended: 3),
      Observation(version: 1, content: [1: 10], began: 6, ended: 7),
      Observation(version: 2, content: [2: 20], began: 6, ended: 7),
      Observation(version: 1, content: [1: 10], began: 9, ended: 10, expectedVersion: 1))
    #expect(problems == [])
  }

  @Test func aLostOrRepeatedCommitIsFound() {
    #expect(problems([commits[1]]) != [])
    #expect(problems([commits[0], commits[0]]) != [])
  }

  @Test func commitsInTheWrongOrderAreFound() {
    var swapped = commits
    swapped[0].number = 2
    swapped[1].number = 1
    #expect(problems(swapped) != [])
  }

  @Test func aPartialWriteIsFound() {
    #expect(
      problems(commits, Observation(version: 2, content: [:], began: 6, ended: 7)) != [])
    #expect(
      problems(commits, Observation(version: 3, content: [:], began: 6, ended: 7)) != [])
  }

  @Test func anOutdatedStateIsFound() {
    #expect(
      problems(commits, Observation(version: 0, content: [:], began: 5, ended: 6)) != [])
    let backwards = problems(
      commits, Observation(version: 2, content: [2: 20], began: 5, ended: 6),
      Observation(version: 1, content: [1: 10], began: 7, ended: 8))
    #expect(backwards != [])
  }

  @Test func aFutureStateIsFound() {
    #expect(
      problems(commits, Observation(version: 1, content: [1: 10], began: 0, ended: 0)) != [])
  }

  @Test func aChangingSnapshotIsFound() {
    let observation = Observation(
      version: 2, content: [2: 20], began: 6, ended: 7, expectedVersion: 1)
    #expect(problems(commits, observation) != [])
  }
}
