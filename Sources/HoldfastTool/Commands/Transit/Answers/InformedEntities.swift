import HoldfastTransit

extension Alert {
  /// What the alert is about, in words of the feed: the first entities, and the number of the others.
  var subject: String? {
    let entities = informedEntities.map(\.words).filter { !$0.isEmpty }
    guard !entities.isEmpty else { return nil }
    let most = entities.count == 4 ? 4 : 3
    return entities.prefix(most).joined(separator: ", ")
      + (entities.count > most ? " and \(entities.count - most) more" : "")
  }
}

extension EntitySelector {
  /// The fields that are given, such as "route 7 at stop 12"; empty if none is.
  fileprivate var words: String {
    let parts: [String?] = [
      routeID.map { "route \($0)" }, routeType.map { "route_type \($0)" },
      directionID.map { "direction_id \($0)" }, trip?.words,
    ]
    let words = parts.compactMap(\.self).joined(separator: " ")
    if let stopID { return words.isEmpty ? "stop \(stopID)" : "\(words) at stop \(stopID)" }
    // An agency beside something of its own says nothing more.
    return words.isEmpty ? agencyID.map { "agency \($0)" } ?? "" : words
  }
}

extension TripDescriptor {
  /// The trip in words, also one that trip modifications change; `nil` if none is named.
  var name: String? {
    tripID.map { "trip \($0)" } ?? modifiedTrip?.affectedTripID.map { "modified trip \($0)" }
  }

  fileprivate var words: String {
    let parts: [String?] = [
      name ?? routeID.map { "trips of route \($0)" },
      tripID == nil ? directionID.map { "direction_id \($0)" } : nil,
      (startDate ?? modifiedTrip?.startDate).map { "on \($0)" },
      (startTime ?? modifiedTrip?.startTime).map { "at \($0)" },
    ]
    return parts.compactMap(\.self).joined(separator: " ")
  }
}

extension OutputRecord {
  /// Creates the record of an entity that an alert is about, with the names of GTFS-Realtime.
  init(entity: EntitySelector) {
    self = [
      "agency_id": Cell(entity.agencyID),
      "route_id": Cell(entity.routeID),
      "route_type": Cell(entity.routeType),
      "direction_id": Cell(entity.directionID),
      "trip": Cell(entity.trip.map(OutputRecord.init(trip:))),
      "stop_id": Cell(entity.stopID),
    ]
  }
}
