import Holdfast

extension JourneySearch {
  /// Returns the labels from which a search begins, the greatest first: those at which vehicles are
  /// caught in the question's window, or 0 for an instant.
  ///
  /// A search from a smaller label then only finds what is better than what is known already. That is
  /// rRAPTOR. The first label is past the window, so that journeys that are no better than those after
  /// it are not found.
  ///
  /// Of vehicles of which only the headway is known, there is one label in each headway.
  mutating func origins() throws -> [Int] {
    guard question.window > 0 else { return [0] }
    var labels: Set<Int> = []
    let transfers = network.transfers
    let nodes = question.isForward ? transfers.boardingNodes : transfers.alightingNodes
    let calls = question.isForward ? network.calls.boardings : network.calls.alightings
    let entry = JourneyPatterns.Access.entry(isForward: question.isForward)
    for place in question.start {
      for node in nodes.nodes(of: place.stop).map({ Int($0) }) {
        for index in Int(calls.starts[node])..<Int(calls.starts[node + 1]) {
          let call = calls.calls[index]
          guard call.allows(entry) else { continue }
          try forEachLabel(Int(call.pattern), Int(call.index), after: place.seconds) {
            labels.insert($0)
          }
        }
      }
    }
    return [question.window + 1] + labels.sorted(by: >)
  }

  private mutating func forEachLabel(
    _ pattern: Int, _ call: Int, after seconds: Int, _ body: (Int) -> Void
  ) throws {
    try decode(pattern)
    guard !timetable.extents[pattern].isEmpty else { return }
    let count = network.patterns.calls(of: pattern).count
    let call = question.isForward ? call : count - 1 - call
    for (start, day) in days(of: pattern, upTo: question.window + seconds) {
      let zero = sign * (start - question.instant)
      for index in timetable.units(of: pattern, on: day, network) {
        let unit = timetable.units[index]
        if unit.repetition >= 0 {
          let repetition = timetable.repetitions[Int(unit.repetition)]
          guard let time = timetable.time(ofEntry: call, ofRepetition: unit) else { continue }
          // The starts whose labels are in the window.
          let first = seconds - zero - time
          let range =
            sign > 0 ? first...first + question.window : -first - question.window ... -first
          guard let from = repetition.firstStart(notBefore: range.lowerBound) else { continue }
          for start in stride(
            from: from, to: min(repetition.end, range.upperBound + 1), by: repetition.headway)
          {
            body(zero + sign * start + time - seconds)
          }
          continue
        }
        for trip in 0..<Int(unit.count) {
          guard let time = timetable.time(ofEntry: call, index, trip: trip) else { continue }
          let label = zero + time - seconds
          if (0...question.window).contains(label) { body(label) }
        }
      }
    }
  }
}

extension JourneyTimetable.Repetition {
  /// Returns the first start in steps of the headway at a time or after it; `nil` when there is none.
  fileprivate func firstStart(notBefore time: Int) -> Int? {
    guard time > start else { return start }
    guard time < end else { return nil }
    return start + (time - start + headway - 1) / headway * headway
  }
}
