/// A stop where riders stay on a vehicle that goes on as another trip.
struct StayingStop {
  /// The index of the stop of the timetable; -1 if there is none.
  let planned: Int
  /// The index of the stop that live data have in its place, or of the same one.
  let now: Int
}

extension JourneyNetwork {
  /// Returns the index of the stop where the timetable has riders of a trip stay; -1 if there is none.
  ///
  /// - Parameters:
  ///   - named: The trip that transfers name.
  ///   - call: Its call; `nil` for its end or its beginning.
  ///   - isEnd: Whether the riders come to the stop with this trip, and do not leave it.
  /// - Returns: The stop.
  func stop(ofNamed named: Int32, _ call: Int?, isEnd: Bool) -> Int {
    let calls = patterns.calls(of: transfers.named[Int(named)].pattern)
    return Int(patterns.stops[calls.lowerBound + (call ?? (isEnd ? calls.count - 1 : 0))])
  }

  /// Returns whether riders can stay on a vehicle: both trips are at their stops of the timetable, or at one place.
  ///
  /// The feed says nothing of a vehicle that live data lead elsewhere.
  func canStay(from stop: StayingStop, to other: StayingStop) -> Bool {
    func areOnePlace(_ one: Int, _ other: Int) -> Bool {
      one == other || one >= 0 && other >= 0 && stops.root(of: one) == stops.root(of: other)
    }
    return areOnePlace(stop.planned, stop.now) && areOnePlace(other.planned, other.now)
      || stop.now >= 0 && areOnePlace(stop.now, other.now)
  }
}
