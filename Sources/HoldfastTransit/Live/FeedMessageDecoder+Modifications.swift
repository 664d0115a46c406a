extension FeedMessageDecoder {
  /// Decodes trip modifications.
  mutating func merge(
    _ message: ProtobufReader, into modifications: inout TripModifications
  ) throws(ProtobufFault) {
    var reader = message
    while !isIncomplete, let field = try reader.nextField() {
      switch field.number {
      case 1: modifications.selectedTrips.append(try selection(reader.message(field)))
      case 2: append(try reader.text(field), to: &modifications.startTimes)
      case 3: append(try reader.text(field), to: &modifications.serviceDates)
      case 4: modifications.modifications.append(try modification(reader.message(field)))
      default: try reader.skip(field)
      }
    }
  }

  private mutating func append(_ text: String, to texts: inout [String]) {
    if takeMemory(for: String.self) { texts.append(text) }
  }

  private mutating func selection(
    _ message: ProtobufReader
  ) throws(ProtobufFault) -> TripModifications.SelectedTrips {
    var trips = TripModifications.SelectedTrips()
    guard takeMemory(for: TripModifications.SelectedTrips.self) else { return trips }
    var reader = message
    while !isIncomplete, let field = try reader.nextField() {
      switch field.number {
      case 1: append(try reader.text(field), to: &trips.tripIDs)
      case 2: trips.shapeID = try reader.nonEmptyText(field)
      default: try reader.skip(field)
      }
    }
    return trips
  }

  private mutating func modification(
    _ message: ProtobufReader
  ) throws(ProtobufFault) -> TripModifications.Modification {
    var modification = TripModifications.Modification()
    guard takeMemory(for: TripModifications.Modification.self) else { return modification }
    var reader = message
    while !isIncomplete, let field = try reader.nextField() {
      switch field.number {
      case 1:
        modification.startStopSelector = try Self.merged(
          modification.startStopSelector, reader.message(field))
      case 2:
        modification.endStopSelector = try Self.merged(
          modification.endStopSelector, reader.message(field))
      case 3: modification.propagatedModificationDelay = try reader.duration(field)
      case 4:
        var stop = try reader.message(field)
        var replacement = TripModifications.ReplacementStop()
        while let field = try stop.nextField() {
          switch field.number {
          case 1: replacement.travelTime = try stop.duration(field)
          case 2: replacement.stopID = try stop.nonEmptyText(field)
          default: try stop.skip(field)
          }
        }
        if takeMemory(for: TripModifications.ReplacementStop.self) {
          modification.replacementStops.append(replacement)
        }
      case 5: modification.serviceAlertID = try reader.nonEmptyText(field)
      case 6:
        modification.lastModifiedTime = try reader.date(field, counting: &millisecondCount)
      default: try reader.skip(field)
      }
    }
    return modification
  }

  private static func merged(
    _ selector: TripModifications.StopSelector?, _ message: ProtobufReader
  ) throws(ProtobufFault) -> TripModifications.StopSelector {
    var selector = selector ?? TripModifications.StopSelector()
    var reader = message
    while let field = try reader.nextField() {
      switch field.number {
      case 1: selector.stopSequence = Int(try reader.uint32(field))
      case 2: selector.stopID = try reader.nonEmptyText(field)
      default: try reader.skip(field)
      }
    }
    return selector
  }
}
