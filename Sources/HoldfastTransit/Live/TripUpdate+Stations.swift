import Holdfast

extension TripUpdate {
  /// Returns the update with the stops that it means where it names other ones of their stations.
  ///
  /// Servers that learn the platform shortly before a train comes name it in place of the stop of the timetable,
  /// some without a `stop_sequence`; others know the station alone, whose stop of the timetable stays as it is.
  ///
  /// - Parameters:
  ///   - stopTimes: The stops of the trip in the timetable.
  ///   - station: Returns the `stop_id` of the station to which a stop belongs, or else its own.
  /// - Returns: The update, in which the stops that the trip does not have are placed.
  /// - Throws: The errors of the closure.
  func placed(
    in stopTimes: [ScheduledStopTime], station: (String) throws -> String
  ) rethrows -> TripUpdate {
    try withUsableSequences().placedInOrder(in: stopTimes, station: station)
  }

  /// Returns the update with the stops that it means, where a `stop_sequence` is that of one stop.
  private func placedInOrder(
    in stopTimes: [ScheduledStopTime], station: (String) throws -> String
  ) rethrows -> TripUpdate {
    let stops = StopPlaces(stopTimes)
    let others = stopTimeUpdates.lazy.filter { update in
      update.stopID.map { stops.named($0).isEmpty } ?? false
    }.prefix(stopTimes.count + 1).count
    guard others > 0, others <= stopTimes.count else { return self }
    let stations = try Dictionary(grouping: stopTimes.indices) {
      ExactText(try station(stopTimes[$0].stopID))
    }
    var placed = self
    let owns: [(text: ExactText, isNamed: Bool)?] = try stopTimeUpdates.map { update in
      guard let stopID = update.stopID else { return nil }
      let isNamed = !stops.named(stopID).isEmpty
      return (ExactText(isNamed ? stopID : try station(stopID)), isNamed)
    }
    func places(of number: Int) -> [Int] {
      guard let own = owns[number] else { return [] }
      let places = own.isNamed ? stops.named(own.text.text) : stations[own.text] ?? []
      guard let sequence = stopTimeUpdates[number].stopSequence else { return places }
      let numbered = stops.numbered(sequence)
      return numbered.map { Array(StopPlaces.places(places, in: $0..<$0 + 1)) } ?? []
    }
    // Those after an update have a place, too.
    var ends = [Int](repeating: stopTimes.count, count: stopTimeUpdates.count)
    var end = stopTimes.count
    for number in stopTimeUpdates.indices.reversed() {
      ends[number] = end
      end = StopPlaces.last(of: places(of: number), before: end) ?? end
    }
    // "Updates should be sorted by stop_sequence (or stop_ids in the order they occur in the trip)."
    var next = stopTimes.startIndex
    for (number, update) in stopTimeUpdates.enumerated() {
      guard let stopID = update.stopID, let own = owns[number] else { continue }
      // A vehicle may call twice at a station.
      let range =
        update.stopSequence == nil ? next..<max(next, ends[number]) : stopTimes.indices
      let places = StopPlaces.places(places(of: number), in: range)
      guard let place = stops.nearest(places, to: update) else { continue }
      next = place + 1
      if own.isNamed { continue }
      placed.stopTimeUpdates[number].stopSequence = stopTimes[place].stopSequence
      if own.text == ExactText(stopID) { placed.stopTimeUpdates[number].stopID = nil }
    }
    return placed
  }
}
