import Foundation
import Holdfast

extension Journeys {
  /// A journey that was found.
  struct Answer {
    let plan: JourneyPlan
    let journey: Journey
    /// The seconds between the instant of the question and the far end of the journey.
    let label: Int
    /// What its search has reached.
    let reached: JourneySearch.Reached

    var seconds: Int { plan.arrival - plan.departure }

    /// The number of vehicles that riders board.
    var rides: Int { plan.legs.count { !$0.isContinuation } }
  }

  /// How far searches look, in seconds.
  private enum Horizon {
    /// Within this all journeys count; beyond it those that take at most twice as long as the fastest.
    ///
    /// Most searches end here, whatever there is in the days after.
    static let first = 86400
    static let waiting = 7 * 86400
    static let duration = 7 * 86400
  }

  /// The largest number of seconds from the departure to the arrival.
  var maximumSeconds: Int {
    Int(min(maximumDuration, .seconds(Horizon.duration)).components.seconds)
  }

  /// Returns the best journeys for an instant.
  func answersAtInstant(
    _ question: JourneySearch.Question, _ network: JourneyNetwork, _ db: Database
  ) throws -> [Answer] {
    var question = question
    let most = Horizon.waiting + maximumSeconds
    question.limit = min(Horizon.first, most) + 1
    var answers = try search(question, network, db)
    if let fastest = answers.map(\.label).min() {
      let fewest = answers.map(\.rides).min() ?? 0
      if 2 * fastest > Horizon.first, fewest > 1 {
        (question.limit, question.rideLimit) = (min(2 * fastest, most) + 1, fewest - 1)
        answers += try search(question, network, db)
      }
    } else if most > Horizon.first {
      question.limit = most + 1
      answers = try search(question, network, db)
      let fastest = answers.map(\.label).min() ?? 0
      answers.removeAll { $0.label > 2 * fastest }
    }
    return try answers.compactMap { answer in
      guard answer.seconds <= maximumSeconds else {
        return try quicker(answer, question, network, db)
      }
      // A search for the earliest arrival finds one of its departures, and not always the latest; and the
      // other way round.
      guard !answer.plan.legs.isEmpty, let other = try quicker(answer, question, network, db),
        question.isForward
          ? other.plan.arrival == answer.plan.arrival
          : other.plan.departure == answer.plan.departure
      else { return answer }
      return other
    }
  }

  /// Returns the best journeys in a window.
  func answersInWindow(
    _ question: JourneySearch.Question, _ network: JourneyNetwork, _ db: Database
  ) throws -> [Answer] {
    var question = question
    question.limit = min(Horizon.first, maximumSeconds) + 1
    var answers = try search(question, network, db)
    let isFirst = !answers.isEmpty
    let longest = 2 * (answers.map(\.seconds).min() ?? Horizon.duration)
    guard maximumSeconds > Horizon.first, longest > Horizon.first else { return answers }
    question.limit = min(longest, maximumSeconds) + 1
    answers = try search(question, network, db)
    let fastest = answers.map(\.seconds).min() ?? 0
    return isFirst ? answers : answers.filter { $0.seconds <= 2 * fastest }
  }

  /// Returns a journey that ends with another one, or begins with it, is shorter, and not longer than
  /// allowed; `nil` if there is none.
  private func quicker(
    _ answer: Answer, _ question: JourneySearch.Question, _ network: JourneyNetwork,
    _ db: Database
  ) throws -> Answer? {
    var reversed = question
    reversed.isForward.toggle()
    reversed.instant = question.isForward ? answer.plan.arrival : answer.plan.departure
    (reversed.start, reversed.end) = (question.end, question.start)
    reversed.limit = min(answer.seconds, maximumSeconds + 1)
    (reversed.rideLimit, reversed.reachedBefore) = (answer.rides, answer.reached)
    return try search(reversed, network, db).min { $0.seconds < $1.seconds }
  }

  private func search(
    _ question: JourneySearch.Question, _ network: JourneyNetwork, _ db: Database
  ) throws -> [Answer] {
    var search = JourneySearch(question, network, taking: &network.timetable, db)
    defer { network.timetable = search.releaseTimetable() }
    var found: [JourneySearch.Found] = []
    for origin in try search.origins() {
      let all = try search.run(from: origin)
      // Journeys after the window only show which ones in it are good.
      if origin <= question.window { found += all }
    }
    if question.window > 0, let seconds = question.directSeconds, seconds < question.limit {
      found.append(JourneySearch.Found(ride: -1, label: seconds, origin: 0))
    }
    return try found.map { one in
      let plan = search.plan(one)
      return Answer(
        plan: plan, journey: try journey(plan, search, db), label: one.label,
        reached: search.reached)
    }
  }
}
