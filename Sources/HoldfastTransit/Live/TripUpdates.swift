public import Foundation
public import Holdfast

/// The trip updates of a GTFS-Realtime feed: which trips are late, skip stops, do not run or run in
/// addition.
///
/// Fetching is up to the app. The value is made from the bytes of a server's response, and does not
/// change; a newer response replaces it as a whole.
///
/// ```swift
/// let (message, _) = try await URLSession.shared.data(from: url)
/// let updates = try TripUpdates(feedMessage: message)
/// ```
///
/// - SeeAlso: <https://gtfs.org/documentation/realtime/reference/#message-feedmessage>
public struct TripUpdates: Sendable {
  /// The version of the specification that the feed follows: `2.0` or `1.0`.
  public let gtfsRealtimeVersion: String
  /// The moment at which the server made the message; `nil` if it does not say.
  ///
  /// Compare it with the clock: an outdated message is not better than the timetable.
  public let timestamp: Date?
  /// The `feed_version` of the timetable that the message refers to; `nil` if it does not say.
  public let feedVersion: String?
  /// The updates, in the order of the message.
  public let updates: [TripUpdate]
  /// The number of entities of other kinds, such as vehicle positions and alerts, which are not read.
  public let otherEntityCount: Int
  /// The number of elements of the message that are not applied to trips, by their GTFS-Realtime names:
  /// `alert`, `vehicle`, `shape`, `stop`, `modified_trip` for updates of trips that modifications change
  /// which the message does not have, `trip_modifications` for modifications of trips on days of which later ones
  /// count, `time` for times in milliseconds, and `other` for later kinds.
  public let unappliedCounts: [String: Int]
  /// The changes of stops of trips, such as detours, in the order of the message.
  public let tripModifications: [TripModifications]

  /// The updates, with the trips of the timetable also where only the modified trips are named.
  let applied: [TripUpdate]
  private let index: TripUpdateIndex
  private let modified: ModifiedTrips
  /// An identity that all copies of the value share, and no other value has.
  let identity = Identity()

  final class Identity: Sendable {}

  /// Decodes a feed message.
  ///
  /// The bytes may come from any server. Unknown fields are ignored, as are entities that are marked
  /// as deleted. A time outside of the years 1970 to 9999 counts as none, because servers write 0
  /// for times that they do not know, and so does an empty text.
  ///
  /// - Parameter feedMessage: The message in the binary format of protocol buffers, at most 64 MiB.
  /// - Throws: ``TransitError`` with `.malformedMessage` when the bytes are no feed message, with the
  ///   ``TransitError/offset`` of the first that is not, or `.unsupportedMessage` when the message
  ///   has only the changes since another one, or is too large.
  public init(feedMessage: Data) throws(TransitError) {
    // One byte more than is allowed shows that it is too large.
    let limit = FeedMessageDecoder.Limits().byteCount + 1
    try self.init(feedMessage: [UInt8](feedMessage.prefix(limit)))
  }

  /// Reads and decodes a feed message that is stored in a file.
  ///
  /// - Parameter url: The file.
  /// - Throws: ``TransitError`` with `.notFound` when there is no such file, `.unreadable` when it
  ///   cannot be read, or the codes of ``init(feedMessage:)``.
  public init(contentsOf url: URL) throws(TransitError) {
    try self.init(
      feedMessage: Self.bytes(contentsOf: url), path: url.path(percentEncoded: false))
  }

  /// Reads a file up to one byte more than is allowed.
  static func bytes(contentsOf url: URL) throws(TransitError) -> [UInt8] {
    let path = url.path(percentEncoded: false)
    guard FileManager.default.fileExists(atPath: path) else { throw .noFeedMessage(path: path) }
    var bytes: [UInt8] = []
    do {
      let file = try FileHandle(forReadingFrom: url)
      defer { file.closeFile() }
      // As above; a device may have no end.
      let limit = FeedMessageDecoder.Limits().byteCount + 1
      while bytes.count < limit,
        let more = try file.read(upToCount: min(1 << 20, limit - bytes.count)), !more.isEmpty
      {
        bytes += more
      }
    } catch {
      throw .unreadable(path: path, error)
    }
    return bytes
  }

  /// Decodes a feed message.
  ///
  /// - Parameters:
  ///   - feedMessage: The bytes.
  ///   - path: The path of the file that contains them.
  ///   - limits: The largest message that is decoded.
  /// - Throws: ``TransitError`` with `.malformedMessage` or `.unsupportedMessage`.
  init(
    feedMessage: [UInt8], path: String? = nil,
    limits: FeedMessageDecoder.Limits = FeedMessageDecoder.Limits()
  ) throws(TransitError) {
    guard feedMessage.count <= limits.byteCount else {
      throw .messageTooLarge(path: path, limit: limits.byteCount)
    }
    let message: FeedMessageDecoder
    do {
      message = try FeedMessageDecoder(feedMessage, limits: limits)
    } catch {
      guard let form = ForeignMessage(feedMessage) else {
        throw .malformedMessage(path: path, error)
      }
      throw .foreignMessage(path: path, form, error)
    }
    guard !message.hasTooManyUpdates else { throw .tooManyUpdates(path: path, limits) }
    guard !message.isIncomplete else {
      throw .messageTooLarge(path: path, limit: limits.entryByteCount)
    }
    guard message.incrementality == 0 else {
      throw .differentialMessage(path: path, incrementality: message.incrementality)
    }
    self.init(
      message.updates, message.modifications, timestamp: message.timestamp,
      gtfsRealtimeVersion: message.gtfsRealtimeVersion, feedVersion: message.feedVersion,
      otherEntityCount: message.otherEntityCount, message.unappliedCounts)
  }

  /// Creates trip updates that come from another source than a feed message.
  ///
  /// - Parameters:
  ///   - updates: The updates; of two for one trip the later one counts.
  ///   - tripModifications: The changes of stops of trips; of two for one trip on a day the later one
  ///     counts.
  ///   - timestamp: The moment at which they were made.
  public init(
    _ updates: [TripUpdate], tripModifications: [TripModifications] = [], timestamp: Date?
  ) {
    self.init(
      updates, tripModifications, timestamp: timestamp, gtfsRealtimeVersion: "2.0",
      feedVersion: nil, otherEntityCount: 0, [:])
  }

  /// Creates the trip updates of several messages, such as one for each feed of a timetable.
  ///
  /// Each update keeps the moment of its own message. The ``timestamp`` is the earliest of all.
  ///
  /// - Parameter messages: The messages; of two updates for one trip the later one counts.
  public init(merging messages: [TripUpdates]) {
    let updates = messages.flatMap { message in
      message.updates.map { update in
        var update = update
        update.timestamp = update.timestamp ?? message.timestamp
        return update
      }
    }
    self.init(
      updates, messages.flatMap(\.tripModifications),
      timestamp: messages.compactMap(\.timestamp).min(),
      gtfsRealtimeVersion: messages.first?.gtfsRealtimeVersion ?? "2.0",
      feedVersion: messages.count == 1 ? messages[0].feedVersion : nil,
      otherEntityCount: messages.reduce(0) { $0 + $1.otherEntityCount },
      messages.reduce(into: [:]) { $0.merge($1.unappliedCounts, uniquingKeysWith: +) })
  }

  /// Returns the message with a prefix before each identifier of trips, routes and stops, to match a feed
  /// that was imported with the prefix.
  ///
  /// - Parameter prefix: The prefix of the message's feed; an empty one changes nothing.
  /// - Returns: A message that is otherwise equal.
  public func prefixed(by prefix: String) -> TripUpdates {
    guard !prefix.isEmpty else { return self }
    let named = { (id: String?) in id.map { prefix + $0 } }
    let updates = updates.map { update in
      var update = update
      update.trip.rename(named)
      if var properties = update.properties {
        (properties.tripID, properties.shapeID) = (
          named(properties.tripID), named(properties.shapeID)
        )
        update.properties = properties
      }
      for index in update.stopTimeUpdates.indices {
        let stop = update.stopTimeUpdates[index]
        update.stopTimeUpdates[index].stopID = named(stop.stopID)
        update.stopTimeUpdates[index].properties?.assignedStopID = named(
          stop.properties?.assignedStopID)
      }
      return update
    }
    let modifications = tripModifications.map { entity in
      var entity = entity
      entity.rename(named)
      return entity
    }
    return TripUpdates(
      updates, modifications, timestamp: timestamp, gtfsRealtimeVersion: gtfsRealtimeVersion,
      feedVersion: feedVersion, otherEntityCount: otherEntityCount, unappliedCounts)
  }

  /// Returns the modifications of the message with other updates, of trips of the timetable.
  func replacingUpdates(with others: [TripUpdate]) -> TripUpdates {
    TripUpdates(others, modifications: self)
  }

  /// Creates updates with the modifications of a message, which are not indexed again.
  private init(_ updates: [TripUpdate], modifications message: TripUpdates) {
    (self.updates, timestamp, feedVersion) = (updates, nil, message.feedVersion)
    (gtfsRealtimeVersion, otherEntityCount) = (message.gtfsRealtimeVersion, 0)
    (tripModifications, unappliedCounts) = (message.tripModifications, [:])
    index = TripUpdateIndex(updates, timestamp: nil)
    applied = Self.applied(updates)
    modified = message.modified.replacingUpdates(with: applied, timestamp: nil)
  }

  /// Returns updates with the trips of the timetable also where only the modified trips are named.
  private static func applied(_ updates: [TripUpdate]) -> [TripUpdate] {
    updates.map { update in
      var update = update
      update.trip = update.trip.affected
      return update
    }
  }

  /// Returns the message with more updates.
  func adding(_ others: [TripUpdate]) -> TripUpdates {
    TripUpdates(
      updates + others, tripModifications, timestamp: timestamp,
      gtfsRealtimeVersion: gtfsRealtimeVersion, feedVersion: feedVersion,
      otherEntityCount: otherEntityCount, unappliedCounts)
  }

  /// Returns whether the timetable has any trip, or for added trips any route, of the message.
  ///
  /// - Parameter db: The connection of the current access, to a timetable database.
  /// - Returns: Whether one of the first 10,000 updates names a trip or a route of the timetable, or one of
  ///   the first 10,000 trips that are modified is in it; true for a message without either.
  /// - Throws: ``TransitError`` with `.schemaOlder` when the database was imported without trips and
  ///   times, `.damaged`; `DatabaseError` when the database cannot be read.
  public func matchesTimetable(_ db: Database) throws -> Bool {
    guard !updates.isEmpty || !tripModifications.isEmpty else { return true }
    return try db.deferringTemporaryObjects {
      var named = try NamedEntities(db)
      return try named.haveAny(of: self, upTo: 10_000)
    }
  }

  private init(
    _ updates: [TripUpdate], _ tripModifications: [TripModifications], timestamp: Date?,
    gtfsRealtimeVersion: String, feedVersion: String?, otherEntityCount: Int,
    _ unappliedCounts: [String: Int]
  ) {
    (self.updates, self.timestamp) = (updates, timestamp)
    self.tripModifications = tripModifications
    (self.gtfsRealtimeVersion, self.feedVersion) = (gtfsRealtimeVersion, feedVersion)
    self.otherEntityCount = otherEntityCount
    index = TripUpdateIndex(updates, timestamp: timestamp)
    let areModified = updates.contains { $0.trip.modifiedTrip != nil }
    guard !tripModifications.isEmpty || areModified else {
      (applied, modified) = (updates, ModifiedTrips([], [], timestamp: nil))
      self.unappliedCounts = unappliedCounts
      return
    }
    applied = Self.applied(updates)
    modified = ModifiedTrips(tripModifications, applied, timestamp: timestamp)
    // One that names the trip itself too is applied to that.
    let named = updates.lazy.filter { $0.trip.tripID == nil }.compactMap(\.trip.modifiedTrip)
    let ids = Set(named.compactMap(\.modificationsID).map(ExactText.init))
    var trips: [ExactText: Set<ExactText>] = [:]
    for entity in tripModifications where ids.contains(ExactText(entity.id)) {
      trips[ExactText(entity.id), default: []].formUnion(entity.tripIDs.map(ExactText.init))
    }
    let unknown = named.count { selector in
      let known = trips[ExactText(selector.modificationsID ?? "")]
      return !(known?.contains(ExactText(selector.affectedTripID ?? "")) ?? false)
    }
    let overridden = modified.overriddenCounts.values.reduce(0, +)
    var counts = unappliedCounts
    counts["modified_trip"] = unknown > 0 ? unknown : nil
    counts["trip_modifications"] = overridden > 0 ? overridden : nil
    self.unappliedCounts = counts
  }

  /// Returns the message with further elements that are not applied.
  func counting(_ counts: [String: Int]) -> TripUpdates {
    guard !counts.isEmpty else { return self }
    return TripUpdates(
      updates, tripModifications, timestamp: timestamp, gtfsRealtimeVersion: gtfsRealtimeVersion,
      feedVersion: feedVersion, otherEntityCount: otherEntityCount,
      unappliedCounts.merging(counts, uniquingKeysWith: +))
  }

  /// Returns the number of elements that are not applied, as ``unappliedCounts``, where other messages have
  /// modifications too.
  ///
  /// - Parameter messages: All messages.
  /// - Returns: The numbers, by GTFS-Realtime's names.
  package func unappliedCounts(among messages: [TripUpdates]) -> [String: Int] {
    let all = messages.flatMap(\.tripModifications)
    guard messages.count > 1, !all.isEmpty else { return unappliedCounts }
    let merged = TripUpdates(
      updates, all, timestamp: timestamp, gtfsRealtimeVersion: gtfsRealtimeVersion,
      feedVersion: feedVersion, otherEntityCount: otherEntityCount, unappliedCounts)
    var counts = merged.unappliedCounts
    let first = messages.prefix { $0.identity !== identity }.reduce(0) {
      $0 + $1.tripModifications.count
    }
    let overridden = (first..<first + tripModifications.count).reduce(0) {
      $0 + (merged.modified.overriddenCounts[$1] ?? 0)
    }
    counts["trip_modifications"] = overridden > 0 ? overridden : nil
    return counts
  }

  /// The updates of trips that run in addition to the trips of the timetable.
  ///
  /// In the update of a duplicate, ``TripDescriptor/tripID`` identifies the copied trip, and
  /// ``TripUpdate/properties`` has the duplicate's own identifier and start.
  public var additions: [TripUpdate] { updates.filter(\.trip.scheduleRelationship.addsTrip) }

  /// Returns the update of a trip of the timetable.
  ///
  /// It is found by the `trip_id` and the service day, or if the feed does not know the `trip_id`, by
  /// route, direction, service day and start, also if other trips of the timetable have the same ones, so that
  /// ``Departures`` and ``Journeys`` apply the update to none. An update that names no service day is for the trip whose
  /// run, from ``TripInstance/start`` to ``TripInstance/end``, is closest to the first time of the update,
  /// the planned one where it has both, or, if it has none, to the moment at which it was made: within half
  /// a day of a short trip, less around a long one. A replacement, which has all of its stops, is for the trip
  /// whose middle is within half a day of its own. If `frequencies.txt` describes the trip, the start must be
  /// equal, too.
  ///
  /// A start at 24:10:00 is also found as 00:10:00 of the next day, as servers say it that count from midnight.
  /// An update that names the next day and no start is for such a trip, too, if its first time is half a day too early
  /// for the run of the next day. A message alone does not know on which days a trip runs, so that it is taken for one
  /// that also runs on the days before and after. ``Departures`` and ``Journeys`` know the days, and apply an update to
  /// the one run that the timetable has.
  ///
  /// The update of a trip that ``tripModifications`` change may be one of the modified trip, whose
  /// ``TripDescriptor/modifiedTrip`` says so: its stops are those of ``liveStopTimes(of:for:)``.
  ///
  /// - Parameter trip: The trip and its service day.
  /// - Returns: The update; `nil` when the feed has none, which does not mean that the trip is on time.
  public func update(for trip: TripInstance) -> TripUpdate? {
    number(ofUpdateFor: trip).map { updates[$0] }
  }

  /// Returns the index of the update of a trip in ``updates``.
  ///
  /// - Parameters:
  ///   - trip: The trip and its service day.
  ///   - isOnItsDay: Whether the day is known to be the one that an update without a day is for.
  ///   - isModified: Whether modifications of the trip are applied, so that one of the modified trip counts first.
  /// - Returns: The index; `nil` when the feed has none.
  func number(
    ofUpdateFor trip: TripInstance, isOnItsDay: Bool = false, isModified: Bool = true
  ) -> Int? {
    if isModified, let entity = modifications(of: trip),
      let number = modified.update(for: trip, isOnItsDay: isOnItsDay),
      let id = updates[number].trip.modifiedTrip?.modificationsID, id.hasSameBytes(as: entity.id)
    {
      return number
    }
    return index.update(for: trip, isOnItsDay: isOnItsDay)
  }

  /// Returns whether an update may be that of a trip, so that it is worth while to look for the trip.
  ///
  /// - Parameter number: The index of the update in ``updates``.
  /// - Returns: Whether it names a trip, and no later update names the same.
  func mayCount(_ number: Int) -> Bool {
    index.mayCount(number, of: updates[number].trip)
      || modified.mayCount(number, of: applied[number].trip)
  }

  /// Returns the index of the modifications of a trip in ``tripModifications``; `nil` when there are none.
  func numberOfModifications(of trip: TripInstance) -> Int? { modified.number(of: trip) }

  /// Returns the modifications of a trip; `nil` when there are none.
  func modifications(of trip: TripInstance) -> TripModifications? {
    modified.number(of: trip).map { tripModifications[$0] }
  }

  /// Returns the last of the ``additions`` with a `trip_id`: for a duplicate its own; `nil` when there is none.
  func addition(named tripID: String) -> TripUpdate? {
    index.addition(named: tripID).map { updates[$0] }
  }

  /// Returns the stops of a trip as its modifications change them; `nil` when there are none, or when they cannot
  /// be applied to the trip.
  ///
  /// - Parameters:
  ///   - trip: The trip and its service day.
  ///   - stopTimes: Returns the stops of the trip in the timetable.
  /// - Returns: The stops.
  /// - Throws: The errors of the closure.
  func modifiedStops(
    of trip: TripInstance, _ stopTimes: () throws -> [ScheduledStopTime]
  ) rethrows -> ModifiedStops? {
    guard let entity = modifications(of: trip) else { return nil }
    let stopTimes = try stopTimes()
    // Modifications that do not fit the trip are counted as not applied, by `incompleteCounts`.
    var modified = try? ModifiedStops(entity.modifications, to: stopTimes)
    modified?.id = entity.id
    return modified
  }

  /// Returns the stops of a trip with what the message says of them: the update and the modifications of the trip.
  ///
  /// Stops that are not served are skipped. Those that are served instead follow them, without a `stop_sequence`.
  ///
  /// - Parameters:
  ///   - trip: The trip and its service day.
  ///   - stopTimes: The stops of the trip in the timetable, in their order, with the times of the service day.
  /// - Returns: The stops in the order of travel; as in the timetable when the message says nothing of the trip.
  public func liveStopTimes(
    of trip: TripInstance, for stopTimes: [ScheduledStopTime]
  ) -> [LiveStopTime] {
    let modified = modifiedStops(of: trip) { stopTimes }
    let update = number(ofUpdateFor: trip, isModified: modified != nil).map { updates[$0] }
    guard let modified, !(update?.replacesStops ?? false) else {
      return update?.liveStopTimes(for: stopTimes) ?? stopTimes.map { LiveStopTime($0) }
    }
    return modified.liveStopTimes(
      update ?? TripUpdate(id: "", trip: TripDescriptor()), for: stopTimes
    ) { $0 }
  }
}

// The index follows from the updates.
extension TripUpdates: Hashable {
  /// Returns whether two messages say the same.
  public static func == (lhs: TripUpdates, rhs: TripUpdates) -> Bool {
    lhs.updates == rhs.updates && lhs.timestamp == rhs.timestamp
      && lhs.gtfsRealtimeVersion == rhs.gtfsRealtimeVersion && lhs.feedVersion == rhs.feedVersion
      && lhs.otherEntityCount == rhs.otherEntityCount
      && lhs.unappliedCounts == rhs.unappliedCounts
      && lhs.tripModifications == rhs.tripModifications
  }

  /// Hashes the updates.
  ///
  /// - Parameter hasher: The hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(updates)
    hasher.combine(timestamp)
  }
}
