import Foundation
import HoldfastTestSupport

extension TextFeed {
  /// Returns what trip modifications may say of some trips on days around one: stops are left out, replaced by others,
  /// by ones that the timetable does not have and by themselves, added or only passed on another way.
  func tripModifications(
    _ random: inout SeededRandom, on days: [String]
  ) throws -> [ReferenceModification] {
    func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    func chance(_ percent: Int) -> Bool { pick(1...100) <= percent }
    let timetable = try ReferenceTimetable(self)
    let stops = rows("stops.txt", "stop_id").map { $0[0] }.filter { $0.hasPrefix("S") }
    let trips = timetable.trips.filter { $0.calls.count > 1 }
    guard !trips.isEmpty else { return [] }
    return (0..<pick(1...6)).map { number in
      let trip = trips[pick(0...trips.count - 1)]
      // "All trips linked by those trip_ids MUST have the same stop pattern."
      let alike = trips.filter {
        $0.frequencies.isEmpty && $0.calls.map(\.stopID) == trip.calls.map(\.stopID)
          && $0.calls.map(\.sequence) == trip.calls.map(\.sequence)
      }.map(\.tripID)
      let exact = timetable.shifts(of: trip).filter(\.1).map(\.0)
      let start = trip.calls[0].departure ?? trip.calls.lazy.compactMap(\.arrival).first ?? 0
      let starts =
        trip.frequencies.isEmpty || chance(20)
        ? [] : exact.filter { _ in chance(50) }.map { start + $0 }
      let count = trip.calls.count
      let areTimed = trip.calls.allSatisfy { $0.arrival != nil }
      func part(from start: Int) -> ReferenceModification.Part {
        let end = chance(75) ? min(count - 1, start + pick(0...2)) : nil
        let isAtEnd = start == 0 || end == count - 1
        let isWhole = start == 0 && end == count - 1
        let areAllTimed = !areTimed || isWhole || chance(60)
        var time = start == 0 ? pick(-10...5) * 60 : 0
        let others: [(stopID: String, travelTime: Int?)] = (0..<(chance(20) ? 0 : pick(1...3))).map
        { _ in
          time += pick(0...6) * 60 + pick(0...1) * 37
          let own = end == nil ? trip.calls[start].stopID : trip.calls[end ?? start].stopID
          let stopID = chance(10) ? own : chance(5) ? "unknown" : stops[pick(0...stops.count - 1)]
          let isTimed = areAllTimed || !isAtEnd && chance(50)
          return (stopID, isTimed ? (chance(3) ? time - 600 : time) : nil)
        }
        return ReferenceModification.Part(
          start: start, end: end, delay: chance(50) ? 0 : pick(-4...12) * 60, stops: others)
      }
      var (parts, next) = ([ReferenceModification.Part](), pick(0...count - 1))
      while next < count, parts.count < 3 {
        parts.append(part(from: next))
        // Some are next to one another, and a few overlap.
        let end = parts[parts.count - 1].end
        next = chance(5) && end != nil ? end ?? next : (end ?? next) + pick(1...3)
      }
      return ReferenceModification(
        id: "m\(number)",
        tripIDs: trip.frequencies.isEmpty && chance(50)
          ? alike : [trip.tripID] + (chance(10) ? ["unknown"] : []),
        days: days.filter { _ in chance(60) }, starts: starts,
        sequences: trip.calls.map(\.sequence), parts: chance(50) ? parts : parts.reversed())
    }
  }

  /// Returns what updates may say of modified trips.
  ///
  /// - Parameters:
  ///   - modifications: The modifications.
  ///   - random: The source of all that is random.
  /// - Returns: At most one change of each vehicle, which names the modifications that are applied to it.
  /// - Throws: ``TextFeedError`` when the time zone of the first agency is unknown.
  func changes(
    of modifications: [ReferenceModification], _ random: inout SeededRandom
  ) throws -> [ReferenceChange] {
    func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    let timetable = try ReferenceTimetable(self)
    let stops = rows("stops.txt", "stop_id").map { $0[0] }.filter { $0.hasPrefix("S") }
    var changes: [ReferenceChange] = []
    for modification in modifications {
      for tripID in modification.tripIDs where pick(0...1) == 0 {
        guard let date = modification.days.randomElement(using: &random),
          let day = timetable.day(named: date),
          let trip = timetable.trips.first(where: { $0.tripID == tripID }),
          timetable.services(runningOn: day).contains(trip.serviceID)
        else { continue }
        let start = modification.starts.randomElement(using: &random)
        let isRepeated = !trip.frequencies.isEmpty
        let own = start ?? trip.calls.first?.departure ?? 0
        let last = modification.callCount - 1
        guard isRepeated == (start != nil), modification.isValid, last > 0,
          !changes.contains(where: { $0.tripID == tripID && $0.day == date && $0.start == start }),
          modifications.last(where: {
            $0.isOf(tripID, day: date, start: own, isRepeated: isRepeated)
          })?.id == modification.id
        else { continue }
        let kind: ReferenceChange.Kind =
          switch pick(0...11) {
          case 0: .canceled
          case 1...6:
            .delays(
              [(pick(0...last), pick(-5...40) * 60), (pick(0...last), pick(-2...20) * 60)].sorted {
                $0.0 < $1.0
              })
          case 7, 8: .skips([pick(0...last)])
          case 9: .delays([(0, pick(-5...40) * 60), (pick(0...last), nil)])
          case 10: .delay(pick(-5...40) * 60)
          default: .platform(call: pick(0...last), stopID: stops[pick(0...stops.count - 1)])
          }
        changes.append(
          ReferenceChange(
            tripID: tripID, day: date, start: start, sequences: Array(1...last + 1), kind: kind,
            modificationsID: modification.id))
      }
    }
    return changes
  }
}
