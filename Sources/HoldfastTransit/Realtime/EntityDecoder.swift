import Foundation
import HoldfastFiles

/// The alerts and vehicle positions of a feed message in the binary format.
///
/// ``FeedMessageDecoder`` reads trip updates, and has checked the message before.
struct EntityDecoder {
  private(set) var alerts: [Alert] = []
  private(set) var vehicles: [VehiclePosition] = []
  /// The number of instants that count as none, and are plausible in milliseconds.
  private(set) var millisecondCount = 0

  /// Whether the decoder ended early, because there are more parts than any message has.
  private(set) var isIncomplete = false
  private var freePartCount = ReadingLimit.feedMessageUpdates.most

  /// Decodes a message.
  ///
  /// - Parameter bytes: The message.
  /// - Throws: ``ProtobufFault`` when the bytes are not a feed message.
  init(_ bytes: [UInt8]) throws(ProtobufFault) {
    var reader = ProtobufReader(bytes)
    while !isIncomplete, let field = try reader.nextField() {
      switch field.number {
      case 2: try append(reader.message(field))
      default: try reader.skip(field)
      }
    }
  }

  private mutating func append(_ message: ProtobufReader) throws(ProtobufFault) {
    var reader = message
    var (id, isDeleted) = ("", false)
    var alert: Alert?
    var vehicle: VehiclePosition?
    while !isIncomplete, let field = try reader.nextField() {
      switch field.number {
      case 1: id = try reader.text(field)
      case 2: isDeleted = try reader.integer(field) != 0
      case 4:
        var merged = vehicle ?? VehiclePosition(id: "")
        vehicle = nil
        try merge(reader.message(field), into: &merged)
        vehicle = merged
      case 5:
        var merged = alert ?? Alert(id: "")
        // Otherwise each part would copy all parts before it.
        alert = nil
        try merge(reader.message(field), into: &merged)
        alert = merged
      default: try reader.skip(field)
      }
    }
    guard !isDeleted, !isIncomplete else { return }
    if var alert {
      alert.id = id
      alerts.append(alert)
    }
    if var vehicle {
      vehicle.id = id
      if !vehicle.hasKnownPlace { (vehicle.latitude, vehicle.longitude) = (nil, nil) }
      vehicles.append(vehicle)
    }
  }

  /// Counts a part that is kept.
  private mutating func takePart() {
    freePartCount -= 1
    if freePartCount < 0 { isIncomplete = true }
  }

  // MARK: - Alerts

  private mutating func merge(
    _ message: ProtobufReader, into alert: inout Alert
  ) throws(ProtobufFault) {
    takePart()
    var reader = message
    while !isIncomplete, let field = try reader.nextField() {
      switch field.number {
      case 1:
        takePart()
        alert.activePeriods.append(try period(reader.message(field)))
      case 2:
        takePart()
        alert.communicationPeriods.append(try period(reader.message(field)))
      case 3:
        takePart()
        alert.impactPeriods.append(try period(reader.message(field)))
      case 5:
        takePart()
        alert.informedEntities.append(try Self.selector(reader.message(field)))
      case 6: alert.cause = Self.name(try reader.int32(field), Alert.causes)
      case 7: alert.effect = Self.name(try reader.int32(field), Alert.effects)
      case 8: try merge(reader.message(field), into: &alert.url)
      case 10: try merge(reader.message(field), into: &alert.headerText)
      case 11: try merge(reader.message(field), into: &alert.descriptionText)
      case 14: alert.severityLevel = Self.name(try reader.int32(field), Alert.severityLevels)
      default: try reader.skip(field)
      }
    }
  }

  private static func name(_ number: Int32, _ names: [Int: String]) -> String {
    names[Int(number)] ?? "\(number)"
  }

  private mutating func period(
    _ message: ProtobufReader
  ) throws(ProtobufFault) -> Alert.ActivePeriod {
    var reader = message
    var period = Alert.ActivePeriod()
    while let field = try reader.nextField() {
      switch field.number {
      // As elsewhere a time of 0 is none.
      case 1: period.start = try reader.date(field, counting: &millisecondCount)
      case 2: period.end = try reader.date(field, counting: &millisecondCount)
      default: try reader.skip(field)
      }
    }
    return period
  }

  private static func selector(
    _ message: ProtobufReader
  ) throws(ProtobufFault) -> EntitySelector {
    var reader = message
    var selector = EntitySelector()
    while let field = try reader.nextField() {
      switch field.number {
      case 1: selector.agencyID = try reader.nonEmptyText(field)
      case 2: selector.routeID = try reader.nonEmptyText(field)
      case 3: selector.routeType = Int(try reader.int32(field))
      case 4:
        var trip = selector.trip ?? TripDescriptor()
        try trip.merge(reader.message(field))
        selector.trip = trip
      case 5: selector.stopID = try reader.nonEmptyText(field)
      case 6: selector.directionID = Int(try reader.uint32(field))
      default: try reader.skip(field)
      }
    }
    return selector
  }

  private mutating func merge(
    _ message: ProtobufReader, into text: inout TranslatedString?
  ) throws(ProtobufFault) {
    var translations = text?.translations ?? []
    // As above, each of many parts would copy those before it.
    text = nil
    var reader = message
    while !isIncomplete, let field = try reader.nextField() {
      guard field.number == 1 else {
        try reader.skip(field)
        continue
      }
      takePart()
      var part = try reader.message(field)
      var translation = TranslatedString.Translation(text: "")
      while let field = try part.nextField() {
        switch field.number {
        case 1: translation.text = try part.text(field)
        case 2: translation.language = try part.nonEmptyText(field)
        default: try part.skip(field)
        }
      }
      if !translation.text.isEmpty { translations.append(translation) }
    }
    text = TranslatedString(translations)
  }

  // MARK: - Vehicles

  private mutating func merge(
    _ message: ProtobufReader, into vehicle: inout VehiclePosition
  ) throws(ProtobufFault) {
    takePart()
    var reader = message
    while !isIncomplete, let field = try reader.nextField() {
      switch field.number {
      case 1:
        var trip = vehicle.trip ?? TripDescriptor()
        try trip.merge(reader.message(field))
        vehicle.trip = trip
      case 2:
        var position = try reader.message(field)
        while let field = try position.nextField() {
          switch field.number {
          case 1: vehicle.latitude = Self.degrees(try position.float(field))
          case 2: vehicle.longitude = Self.degrees(try position.float(field))
          default: try position.skip(field)
          }
        }
      case 3: vehicle.currentStopSequence = Int(try reader.uint32(field))
      case 4: vehicle.currentStatus = Self.name(try reader.int32(field), VehiclePosition.statuses)
      case 5: vehicle.timestamp = try reader.date(field, counting: &millisecondCount)
      case 7: vehicle.stopID = try reader.nonEmptyText(field)
      case 8:
        var descriptor = vehicle.vehicle ?? VehicleDescriptor()
        try descriptor.merge(reader.message(field))
        vehicle.vehicle = descriptor
      case 9: vehicle.occupancyStatus = OccupancyStatus.name(of: try reader.int32(field))
      case 10: vehicle.occupancyPercentage = Int(try reader.uint32(field))
      case 11:
        takePart()
        vehicle.carriages.append(try Self.carriage(reader.message(field)))
      default: try reader.skip(field)
      }
    }
    // "If current_status is missing IN_TRANSIT_TO is assumed."
    if vehicle.currentStatus == nil, vehicle.currentStopSequence != nil || vehicle.stopID != nil {
      vehicle.currentStatus = Self.name(2, VehiclePosition.statuses)
    }
  }

  private static func degrees(_ number: Float) -> Double? {
    number.isFinite ? Double(number) : nil
  }

  private static func carriage(
    _ message: ProtobufReader
  ) throws(ProtobufFault) -> VehiclePosition.Carriage {
    var reader = message
    var carriage = VehiclePosition.Carriage()
    while let field = try reader.nextField() {
      switch field.number {
      case 2: carriage.label = try reader.nonEmptyText(field)
      case 3: carriage.occupancyStatus = OccupancyStatus.name(of: try reader.int32(field))
      case 4:
        // -1 says that it is unknown.
        let percentage = try reader.int32(field)
        carriage.occupancyPercentage = percentage < 0 ? nil : Int(percentage)
      case 5: carriage.sequence = Int(try reader.uint32(field))
      default: try reader.skip(field)
      }
    }
    return carriage
  }
}

extension VehiclePosition {
  /// Whether the message says where the vehicle is.
  ///
  /// Vehicles that do not receive their place yet report 0 for both, where there is only the sea.
  fileprivate var hasKnownPlace: Bool {
    guard let latitude, let longitude, latitude.magnitude <= 90, longitude.magnitude <= 180 else {
      return false
    }
    return latitude != 0 || longitude != 0
  }
}
