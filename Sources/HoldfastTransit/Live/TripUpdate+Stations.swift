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
  ) throws -> TripUpdate {
    let named = Set(stopTimes.map { ExactText($0.stopID) })
    let others = stopTimeUpdates.lazy.filter { update in
      update.stopID.map { !named.contains(ExactText($0)) } ?? false
    }.prefix(stopTimes.count + 1).count
    guard others > 0, others <= stopTimes.count else { return self }
    let stations = try stopTimes.map { ExactText(try station($0.stopID)) }
    var placed = self
    // "Updates should be sorted by stop_sequence (or stop_ids in the order they occur in the trip)."
    var next = stopTimes.startIndex
    for (number, update) in stopTimeUpdates.enumerated() {
      guard let stopID = update.stopID else { continue }
      let isNamed = named.contains(ExactText(stopID))
      let own = ExactText(isNamed ? stopID : try station(stopID))
      let place = stopTimes[next...].indices.first { index in
        (update.stopSequence ?? stopTimes[index].stopSequence) == stopTimes[index].stopSequence
          && own == (isNamed ? ExactText(stopTimes[index].stopID) : stations[index])
      }
      guard let place else { continue }
      next = place + 1
      if isNamed { continue }
      placed.stopTimeUpdates[number].stopSequence = stopTimes[place].stopSequence
      if own == ExactText(stopID) { placed.stopTimeUpdates[number].stopID = nil }
    }
    return placed
  }
}
