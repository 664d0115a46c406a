import Foundation
import HoldfastFiles

/// A feed message in the binary format, as far as it is about trips.
///
/// The decoder is written by hand, because the few fields of trip updates need less code than a
/// protocol buffer library and its generated types. As in all readers, the last one of repeated
/// values counts, repeated messages are merged, and unknown fields are skipped.
///
/// - SeeAlso: <https://gtfs.org/documentation/realtime/proto/>
struct FeedMessageDecoder {
  /// The largest message that is decoded.
  struct Limits {
    /// The size of the message, in bytes.
    var byteCount = ReadingLimit.feedMessage.most
    /// The memory for updates of trips and stops without their texts, in bytes.
    ///
    /// Two bytes of a hostile message could otherwise become hundreds in memory.
    var entryByteCount = 256 << 20
    /// The updates of trips and of stops together; the largest messages that are published have fewer.
    var updateCount = ReadingLimit.feedMessageUpdates.most
    /// The updates of stops of one trip.
    var stopCount = ReadingLimit.tripStops.most
  }

  private(set) var gtfsRealtimeVersion = ""
  private(set) var incrementality: Int32 = 0
  private(set) var timestamp: Date?
  private(set) var feedVersion: String?
  private(set) var updates: [TripUpdate] = []
  private(set) var modifications: [TripModifications] = []
  private(set) var otherEntityCount = 0
  /// The number of elements that are not applied to trips, by their GTFS-Realtime names.
  private(set) var unappliedCounts: [String: Int] = [:]
  /// The number of instants that count as none, and are plausible in milliseconds.
  var millisecondCount = 0

  /// The names of the fields of an entity that are not trip updates.
  private static let otherFields = [4: "vehicle", 5: "alert", 6: "shape", 7: "stop"]

  /// Whether the decoder ended early, because the rest would need too much memory.
  private(set) var isIncomplete = false

  /// Whether nothing was decoded, because there are more updates than any message has.
  private(set) var hasTooManyUpdates = false

  private var hasVersion = false
  private var freeByteCount: Int
  private let limits: Limits
  /// The days of modified trips, and the changes and new stops of each trip.
  private var modified = (days: 0.0, stops: 0.0)

  /// Decodes a message.
  ///
  /// - Parameters:
  ///   - bytes: The message.
  ///   - limits: The largest message that is decoded.
  /// - Throws: ``ProtobufFault`` when the bytes are not a feed message.
  init(_ bytes: [UInt8], limits: Limits) throws(ProtobufFault) {
    (freeByteCount, self.limits) = (limits.entryByteCount, limits)
    guard !bytes.isEmpty else { throw ProtobufFault(.empty, at: 0) }
    hasTooManyUpdates = UpdateCount(bytes).exceeds(limits)
    if hasTooManyUpdates { return }
    var hasHeader = false
    var reader = ProtobufReader(bytes)
    while !isIncomplete, let field = try reader.nextField() {
      switch field.number {
      case 1:
        hasHeader = true
        try mergeHeader(reader.message(field))
      case 2: try appendEntity(reader.message(field), at: field.offset)
      default: try reader.skip(field)
      }
    }
    guard !isIncomplete else { return }
    if millisecondCount > 0 { unappliedCounts["time"] = millisecondCount }
    guard hasHeader else {
      throw ProtobufFault(.missingField("header", of: "FeedMessage"), at: 0)
    }
    guard hasVersion else {
      throw ProtobufFault(.missingField("gtfs_realtime_version", of: "FeedHeader"), at: 0)
    }
  }

  private mutating func mergeHeader(_ message: ProtobufReader) throws(ProtobufFault) {
    var reader = message
    while let field = try reader.nextField() {
      switch field.number {
      case 1:
        gtfsRealtimeVersion = try reader.text(field)
        hasVersion = true
      case 2: incrementality = try reader.int32(field)
      case 3: timestamp = try reader.date(field, counting: &millisecondCount)
      case 4: feedVersion = try reader.nonEmptyText(field)
      default: try reader.skip(field)
      }
    }
  }

  private mutating func appendEntity(
    _ message: ProtobufReader, at offset: Int
  ) throws(ProtobufFault) {
    var id: String?
    var isDeleted = false
    var update: TripUpdate?
    var hasTrip = false
    var modifications: TripModifications?
    var others: Set<String> = []
    var reader = message
    while !isIncomplete, let field = try reader.nextField() {
      switch field.number {
      case 1: id = try reader.text(field)
      case 2: isDeleted = try reader.integer(field) != 0
      case 3:
        var merged = update ?? TripUpdate(id: "", trip: TripDescriptor())
        // Otherwise each part of an update would copy all parts before it.
        update = nil
        try merge(reader.message(field), into: &merged, &hasTrip)
        update = merged
      case 8:
        var merged = modifications ?? TripModifications(id: "")
        modifications = nil
        try merge(reader.message(field), into: &merged)
        modifications = merged
      default:
        if let name = Self.otherFields[field.number] { others.insert(name) }
        try reader.skip(field)
      }
    }
    guard !isIncomplete else { return }
    guard let id else {
      throw ProtobufFault(.missingField("id", of: "FeedEntity"), at: offset)
    }
    if !isDeleted {
      if update == nil, modifications == nil, others.isEmpty { others = ["other"] }
      for name in others { unappliedCounts[name, default: 0] += 1 }
      if var modifications {
        modifications.id = id
        append(modifications)
      }
    }
    let isOther = update == nil && modifications == nil
    otherEntityCount += isOther && !isDeleted ? 1 : 0
    guard var update else { return }
    guard hasTrip else {
      throw ProtobufFault(.missingField("trip", of: "TripUpdate"), at: offset)
    }
    update.id = id
    if !isDeleted, takeMemory(for: TripUpdate.self) { updates.append(update) }
  }

  /// Keeps modifications, unless they are about more trips and stops than any message has updates.
  private mutating func append(_ entity: TripModifications) {
    let trips = entity.selectedTrips.reduce(0) { $0 + $1.tripIDs.count }
    let stops = entity.modifications.reduce(0) { $0 + 1 + $1.replacementStops.count }
    let days = Double(entity.serviceDates.count) * Double(max(1, entity.startTimes.count))
    modified.days += Double(trips) * days
    modified.stops += Double(trips) * Double(stops)
    hasTooManyUpdates =
      stops > limits.stopCount || max(modified.days, modified.stops) > Double(limits.updateCount)
    isIncomplete = hasTooManyUpdates
    if !isIncomplete, takeMemory(for: TripModifications.self) { modifications.append(entity) }
  }

  private mutating func merge(
    _ message: ProtobufReader, into update: inout TripUpdate, _ hasTrip: inout Bool
  ) throws(ProtobufFault) {
    var reader = message
    while !isIncomplete, let field = try reader.nextField() {
      switch field.number {
      case 1:
        hasTrip = true
        try update.trip.merge(reader.message(field))
      case 2:
        var stop = StopTimeUpdate()
        try stop.merge(reader.message(field), &millisecondCount)
        if takeMemory(for: StopTimeUpdate.self) { update.stopTimeUpdates.append(stop) }
      case 3:
        var vehicle = update.vehicle ?? VehicleDescriptor()
        try vehicle.merge(reader.message(field))
        update.vehicle = vehicle
      case 4: update.timestamp = try reader.date(field, counting: &millisecondCount)
      case 5: update.delay = try reader.duration(field)
      case 6:
        var properties = update.properties ?? TripProperties()
        try properties.merge(reader.message(field))
        update.properties = properties
      default: try reader.skip(field)
      }
    }
  }

  /// Counts the memory of a value that is kept; returns whether there is enough.
  mutating func takeMemory<Value>(for type: Value.Type) -> Bool {
    freeByteCount -= MemoryLayout<Value>.stride
    isIncomplete = freeByteCount < 0
    return !isIncomplete
  }
}

/// The numbers of updates in a message, counted before memory is taken for one.
private struct UpdateCount {
  private var all = 0
  private var mostStops = 0

  init(_ bytes: [UInt8]) {
    do throws(ProtobufFault) {
      var message = ProtobufReader(bytes)
      while let field = try message.nextField() {
        if field.number == 2 {
          try countEntity(message.message(field))
        } else {
          try message.skip(field)
        }
      }
    } catch _ {
      // The decoder finds the fault, too, and what is before it was counted.
    }
  }

  func exceeds(_ limits: FeedMessageDecoder.Limits) -> Bool {
    all > limits.updateCount || mostStops > limits.stopCount
  }

  private mutating func countEntity(_ message: ProtobufReader) throws(ProtobufFault) {
    var (entity, stops, isUpdate) = (message, 0, false)
    defer {
      all += stops + (isUpdate ? 1 : 0)
      mostStops = max(mostStops, stops)
    }
    while let field = try entity.nextField() {
      guard field.number == 3 else {
        try entity.skip(field)
        continue
      }
      isUpdate = true
      var update = try entity.message(field)
      while let field = try update.nextField() {
        if field.number == 2 { stops += 1 }
        try update.skip(field)
      }
    }
  }
}

// MARK: - Messages

extension TripDescriptor {
  mutating func merge(_ message: ProtobufReader) throws(ProtobufFault) {
    var reader = message
    while let field = try reader.nextField() {
      switch field.number {
      case 1: tripID = try reader.nonEmptyText(field)
      case 2: startTime = try reader.nonEmptyText(field)
      case 3: startDate = try reader.nonEmptyText(field)
      case 4:
        scheduleRelationship = ScheduleRelationship(rawValue: Int(try reader.int32(field)))
      case 5: routeID = try reader.nonEmptyText(field)
      case 6: directionID = Int(try reader.uint32(field))
      case 7:
        var selector = modifiedTrip ?? ModifiedTripSelector()
        try selector.merge(reader.message(field))
        modifiedTrip = selector
      default: try reader.skip(field)
      }
    }
  }
}

extension ModifiedTripSelector {
  fileprivate mutating func merge(_ message: ProtobufReader) throws(ProtobufFault) {
    var reader = message
    while let field = try reader.nextField() {
      switch field.number {
      case 1: modificationsID = try reader.nonEmptyText(field)
      case 2: affectedTripID = try reader.nonEmptyText(field)
      case 3: startTime = try reader.nonEmptyText(field)
      case 4: startDate = try reader.nonEmptyText(field)
      default: try reader.skip(field)
      }
    }
  }
}

extension VehicleDescriptor {
  mutating func merge(_ message: ProtobufReader) throws(ProtobufFault) {
    var reader = message
    while let field = try reader.nextField() {
      switch field.number {
      case 1: id = try reader.nonEmptyText(field)
      case 2: label = try reader.nonEmptyText(field)
      case 3: licensePlate = try reader.nonEmptyText(field)
      case 4: wheelchairAccessible = Int(try reader.int32(field))
      default: try reader.skip(field)
      }
    }
  }
}

extension TripProperties {
  fileprivate mutating func merge(_ message: ProtobufReader) throws(ProtobufFault) {
    var reader = message
    while let field = try reader.nextField() {
      switch field.number {
      case 1: tripID = try reader.nonEmptyText(field)
      case 2: startDate = try reader.nonEmptyText(field)
      case 3: startTime = try reader.nonEmptyText(field)
      case 4: shapeID = try reader.nonEmptyText(field)
      case 5: tripHeadsign = try reader.nonEmptyText(field)
      case 6: tripShortName = try reader.nonEmptyText(field)
      default: try reader.skip(field)
      }
    }
  }
}

extension StopTimeUpdate {
  fileprivate mutating func merge(
    _ message: ProtobufReader, _ millisecondCount: inout Int
  ) throws(ProtobufFault) {
    var reader = message
    while let field = try reader.nextField() {
      switch field.number {
      case 1: stopSequence = Int(try reader.uint32(field))
      case 2: arrival = try Self.merged(arrival, reader.message(field), &millisecondCount)
      case 3: departure = try Self.merged(departure, reader.message(field), &millisecondCount)
      case 4: stopID = try reader.nonEmptyText(field)
      case 5:
        scheduleRelationship = ScheduleRelationship(rawValue: Int(try reader.int32(field)))
      case 6:
        var properties = properties ?? StopTimeProperties()
        try properties.merge(reader.message(field))
        self.properties = properties
      case 7:
        let status = try reader.int32(field)
        // As in other readers, a number without a name is none.
        if OccupancyStatus.isKnown(status) { departureOccupancy = status }
      default: try reader.skip(field)
      }
    }
  }

  private static func merged(
    _ event: StopTimeEvent?, _ message: ProtobufReader, _ millisecondCount: inout Int
  ) throws(ProtobufFault) -> StopTimeEvent {
    var event = event ?? StopTimeEvent()
    var reader = message
    while let field = try reader.nextField() {
      switch field.number {
      case 1: event.delay = try reader.duration(field)
      case 2: event.time = try reader.date(field, counting: &millisecondCount)
      case 3: event.uncertainty = try reader.duration(field)
      case 4: event.scheduledTime = try reader.date(field, counting: &millisecondCount)
      default: try reader.skip(field)
      }
    }
    return event
  }
}

extension StopTimeProperties {
  fileprivate mutating func merge(_ message: ProtobufReader) throws(ProtobufFault) {
    var reader = message
    while let field = try reader.nextField() {
      switch field.number {
      case 1: assignedStopID = try reader.nonEmptyText(field)
      case 2: stopHeadsign = try reader.nonEmptyText(field)
      case 3: pickupType = Int(try reader.int32(field))
      case 4: dropOffType = Int(try reader.int32(field))
      default: try reader.skip(field)
      }
    }
  }
}

// MARK: - Values

extension ProtobufReader {
  /// The last second of the year 9999.
  private static let latestSecond: UInt64 = 253_402_300_799
  /// The years 2001 to 2100 in milliseconds; later ones are rather an end that is open, such as one of nines alone.
  private static let milliseconds: Range<UInt64> = 978_307_200_000..<4_133_980_800_000

  /// Reads a text; `nil` when it is empty.
  mutating func nonEmptyText(_ field: Field) throws(ProtobufFault) -> String? {
    let text = try text(field)
    return text.isEmpty ? nil : text
  }

  /// Reads a number of seconds.
  mutating func duration(_ field: Field) throws(ProtobufFault) -> Duration {
    .seconds(try int32(field))
  }

  /// Reads an instant in POSIX time; `nil` when no feed can mean it.
  ///
  /// - Parameters:
  ///   - field: The field.
  ///   - millisecondCount: Is incremented for an instant that is plausible in milliseconds, which some servers
  ///     write.
  /// - Returns: The instant.
  /// - Throws: ``ProtobufFault`` when the field is no number.
  mutating func date(
    _ field: Field, counting millisecondCount: inout Int
  ) throws(ProtobufFault) -> Date? {
    // A negative number is a very large one here.
    let seconds = try integer(field)
    guard (1...Self.latestSecond).contains(seconds) else {
      if Self.milliseconds.contains(seconds) { millisecondCount += 1 }
      return nil
    }
    return Date(timeIntervalSince1970: TimeInterval(seconds))
  }
}
