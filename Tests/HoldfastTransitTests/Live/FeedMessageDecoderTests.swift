import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

@Suite struct FeedMessageDecoderTests {
  private func decode(_ fields: [UInt8]...) throws -> TripUpdates {
    try TripUpdates(feedMessage: fields.flatMap(\.self))
  }

  private func update(_ fields: [UInt8]...) throws -> TripUpdate {
    let message = Wire.header + Wire.entity(fields.flatMap(\.self))
    return try #require(try TripUpdates(feedMessage: message).updates.first)
  }

  // MARK: - Fields

  @Test func `every field of a trip update is read`() throws {
    let event = { (delay: Int, time: Int) in
      Wire.joined(
        Wire.number(1, delay), Wire.number(2, time), Wire.number(3, 30), Wire.number(4, 1000))
    }
    let message = try decode(
      Wire.message(
        1, Wire.text(1, "2.0"), Wire.number(2, 0), Wire.number(3, 1_767_546_000),
        Wire.text(4, "v7")),
      Wire.message(
        2, Wire.text(1, "e1"), Wire.number(2, 0),
        Wire.message(
          3,
          Wire.message(
            1, Wire.text(1, "trip"), Wire.text(2, "25:15:35"), Wire.text(3, "20260105"),
            Wire.number(4, 6), Wire.text(5, "route"), Wire.number(6, 1)),
          Wire.message(
            2, Wire.number(1, 4), Wire.message(2, event(-60, 0)), Wire.message(3, event(90, 2000)),
            Wire.text(4, "stop"), Wire.number(5, 1),
            Wire.message(
              6, Wire.text(1, "other"), Wire.text(2, "Quay"), Wire.number(3, 2), Wire.number(4, 3)),
            Wire.number(7, 5)),
          Wire.message(
            3, Wire.text(1, "v"), Wire.text(2, "label"), Wire.text(3, "plate"), Wire.number(4, 2)),
          Wire.number(4, 1_767_546_001), Wire.number(5, -15),
          Wire.message(
            6, Wire.text(1, "copy"), Wire.text(2, "20260106"), Wire.text(3, "08:00:00"),
            Wire.text(4, "shape"), Wire.text(5, "Headsign"), Wire.text(6, "IC 1")))))
    #expect(message.gtfsRealtimeVersion == "2.0" && message.feedVersion == "v7")
    #expect(message.timestamp == Date(timeIntervalSince1970: 1_767_546_000))
    #expect(message.otherEntityCount == 0)
    let scheduled = Date(timeIntervalSince1970: 1000)
    var expected = TripUpdate(
      id: "e1",
      trip: TripDescriptor(
        tripID: "trip", routeID: "route", directionID: 1, startTime: "25:15:35",
        startDate: "20260105", scheduleRelationship: .duplicated),
      vehicle: VehicleDescriptor(
        id: "v", label: "label", licensePlate: "plate", wheelchairAccessible: 2),
      stopTimeUpdates: [
        StopTimeUpdate(
          stopSequence: 4, stopID: "stop",
          // 0 is no time.
          arrival: StopTimeEvent(
            delay: .seconds(-60), uncertainty: .seconds(30), scheduledTime: scheduled),
          departure: StopTimeEvent(
            delay: .seconds(90), time: Date(timeIntervalSince1970: 2000),
            uncertainty: .seconds(30), scheduledTime: scheduled),
          scheduleRelationship: .skipped,
          properties: StopTimeProperties(
            assignedStopID: "other", stopHeadsign: "Quay", pickupType: 2, dropOffType: 3))
      ],
      timestamp: Date(timeIntervalSince1970: 1_767_546_001), delay: .seconds(-15),
      properties: TripProperties(
        tripID: "copy", startDate: "20260106", startTime: "08:00:00", shapeID: "shape",
        tripHeadsign: "Headsign", tripShortName: "IC 1"))
    expected.stopTimeUpdates[0].departureOccupancy = 5
    #expect(message.updates.first?.stopTimeUpdates.first?.departureOccupancyStatus == "FULL")
    #expect(message.updates == [expected])
  }

  @Test func `fields that are absent are nil, and relations are SCHEDULED`() throws {
    let update = try update(Wire.message(2, Wire.message(2)))
    #expect(
      update
        == TripUpdate(
          id: "e", trip: TripDescriptor(tripID: "T"),
          stopTimeUpdates: [StopTimeUpdate(arrival: StopTimeEvent())]))
    #expect(update.stopTimeUpdates[0].scheduleRelationship == .scheduled)
  }

  @Test func `an empty text counts as none`() throws {
    let message = try decode(
      Wire.header,
      Wire.message(2, Wire.text(1, ""), Wire.message(3, Wire.message(1, Wire.text(1, "")))))
    #expect(message.updates == [TripUpdate(id: "", trip: TripDescriptor())])
  }

  @Test(arguments: [0, -1, Int.min, 253_402_300_800, Int.max])
  func `a time that no clock shows counts as none`(time: Int) throws {
    let update = try update(
      Wire.number(4, time), Wire.message(2, Wire.message(2, Wire.number(2, time))))
    #expect(update.timestamp == nil && update.stopTimeUpdates[0].arrival == StopTimeEvent())
  }

  @Test func `times in milliseconds count as none, and are counted`() throws {
    let (seconds, milliseconds) = (1_767_600_000, 1_767_600_000_000)
    func message(_ time: Int) throws -> [String: Int] {
      let event = Wire.number(2, time) + Wire.number(4, time)
      return try decode(
        Wire.message(1, Wire.text(1, "2.0"), Wire.number(3, time)),
        Wire.entity(
          Wire.number(4, time), Wire.message(2, Wire.bytes(2, event), Wire.bytes(3, event)))
      ).unappliedCounts
    }
    #expect(try message(milliseconds) == ["time": 6])
    for time in [seconds, 0, -1, Int.max, 9_999_999_999_999] { #expect(try message(time) == [:]) }
    let period = Wire.bytes(1, Wire.number(1, milliseconds) + Wire.number(2, seconds))
    let others = try RealtimeMessage(
      feedMessage: Data(
        Wire.header + Wire.message(2, Wire.text(1, "a"), Wire.bytes(5, period))
          + Wire.message(2, Wire.text(1, "v"), Wire.message(4, Wire.number(5, milliseconds)))
          + Wire.entity(Wire.number(4, milliseconds))))
    #expect(others.tripUpdates.unappliedCounts == ["alert": 1, "vehicle": 1, "time": 3])
  }

  @Test func `unknown relations keep their number`() throws {
    let update = try update(
      Wire.message(1, Wire.number(4, 99)), Wire.message(2, Wire.number(5, -2)))
    #expect(update.trip.scheduleRelationship.description == "99")
    #expect(update.stopTimeUpdates[0].scheduleRelationship.rawValue == -2)
    #expect(update.stopTimeUpdates[0].scheduleRelationship.description == "-2")
  }

  @Test func `relations have the names of the specification`() {
    let trips = [0, 1, 2, 3, 5, 6, 7, 8].map {
      TripDescriptor.ScheduleRelationship(rawValue: $0).description
    }
    #expect(
      trips == [
        "SCHEDULED", "ADDED", "UNSCHEDULED", "CANCELED", "REPLACEMENT", "DUPLICATED", "DELETED",
        "NEW",
      ])
    let stops = (0...3).map { StopTimeUpdate.ScheduleRelationship(rawValue: $0).description }
    #expect(stops == ["SCHEDULED", "SKIPPED", "NO_DATA", "UNSCHEDULED"])
  }

  @Test func `repeated messages are merged, and the last one of repeated values counts`() throws {
    let update = try update(
      Wire.message(1, Wire.text(3, "20260105")), Wire.message(1, Wire.text(1, "T2")),
      Wire.message(
        2, Wire.message(2, Wire.number(1, 60)), Wire.number(1, 3),
        Wire.message(2, Wire.number(3, 5)), Wire.number(1, 4)))
    #expect(update.trip == TripDescriptor(tripID: "T2", startDate: "20260105"))
    #expect(
      update.stopTimeUpdates == [
        StopTimeUpdate(
          stopSequence: 4,
          arrival: StopTimeEvent(delay: .seconds(60), uncertainty: .seconds(5)))
      ])
  }

  @Test func `unknown fields are skipped everywhere`() throws {
    let unknown = Wire.joined(
      Wire.number(1001, 5), Wire.text(1999, "x"), Wire.tag(50, 3), Wire.number(1, 1),
      Wire.tag(50, 4))
    let message = try decode(
      unknown, Wire.message(1, Wire.text(1, "1.0"), unknown),
      Wire.message(
        2, Wire.text(1, "e"), unknown,
        Wire.message(
          3, Wire.message(1, unknown, Wire.text(1, "T")), unknown,
          Wire.message(2, Wire.message(2, unknown), unknown, Wire.message(6, unknown)),
          Wire.message(3, unknown), Wire.message(6, unknown))))
    #expect(message.updates.map(\.trip.tripID) == ["T"])
    #expect(message.gtfsRealtimeVersion == "1.0" && message.timestamp == nil)
  }

  @Test func `entities of other kinds are counted, and deleted ones are left out`() throws {
    let trip = Wire.message(3, Wire.message(1, Wire.text(1, "T")))
    let message = try decode(
      Wire.header, Wire.message(2, Wire.text(1, "a"), Wire.message(4, Wire.text(7, "S"))),
      Wire.message(2, Wire.text(1, "b"), trip, Wire.number(2, 1)),
      Wire.message(2, Wire.text(1, "c"), Wire.number(2, 1)),
      Wire.message(2, Wire.text(1, "d"), trip), Wire.message(2, Wire.text(1, "e"), Wire.message(5)))
    #expect(message.updates.map(\.id) == ["d"])
    #expect(message.otherEntityCount == 2)
  }

  @Test func `a feed without entities has no updates`() throws {
    #expect(try decode(Wire.header).updates.isEmpty)
  }

  // MARK: - The sample

  static let sample = PackageFolder.root.appending(
    path: "Samples/port-merrow-live/trip-updates.pb")

  @Test func `the sample is read from its file`() throws {
    let message = try TripUpdates(contentsOf: Self.sample)
    #expect(message.updates.map(\.id) == ["1", "2", "3", "4", "5"])
    #expect(
      message.updates.map(\.trip.scheduleRelationship) == [
        .scheduled, .canceled, .scheduled, .unscheduled, .new,
      ])
    #expect(message.updates[0].stopTimeUpdates.map(\.stopSequence) == [3, 6, 13])
    #expect(message.otherEntityCount == 1)
    #expect(message.feedVersion == "port-merrow-2026.1")
    #expect(message.additions.map(\.id) == ["5"])
    let data = try Data(contentsOf: Self.sample)
    #expect(try TripUpdates(feedMessage: data).updates == message.updates)
  }

  // MARK: - Refusals

  private func refusal(
    _ bytes: [UInt8], limits: FeedMessageDecoder.Limits = .init()
  ) throws -> TransitError {
    try #require(throws: TransitError.self) {
      _ = try TripUpdates(feedMessage: bytes, path: "x.pb", limits: limits)
    }
  }

  private static let refused: [(bytes: [UInt8], offset: Int, reason: String)] = [
    ([], 0, "it has no bytes"),
    ([0x3C, 0x01], 0, "group 7 ends where no such group is open"),
    ([0x1F, 0x01], 0, "a field has the wire type 7, which does not exist"),
    (Array("PK\u{3}\u{5}".utf8), 2, "a field has a number that no field can have"),
    (Wire.entity(), 0, "a FeedMessage has no 'header'"),
    (Wire.message(1, Wire.number(3, 5)), 0, "a FeedHeader has no 'gtfs_realtime_version'"),
    (
      Wire.joined(Wire.header, Wire.message(2, Wire.message(4))), 7, "a FeedEntity has no 'id'"
    ),
    (
      Wire.joined(Wire.header, Wire.message(2, Wire.text(1, "e"), Wire.message(3))), 7,
      "a TripUpdate has no 'trip'"
    ),
    (Wire.joined(Wire.header, Wire.number(2, 5)), 7, "field 2 has the wire type 0"),
    (
      Wire.joined(Wire.header, Wire.entity(Wire.text(5, "late"))), 19,
      "field 5 has the wire type 2"
    ),
    (Array(Wire.header.dropLast()), 1, "a value is longer than what contains it"),
    (
      Wire.joined(Wire.message(1, [0x0A, 0x7F]), Wire.text(9, "x")), 3,
      "a value is longer than what contains it"
    ),
  ]

  @Test(arguments: refused)
  func `bytes that are no feed message are refused with place and reason`(
    bytes: [UInt8], offset: Int, reason: String
  ) throws {
    let error = try refusal(bytes)
    #expect(error.code == .malformedMessage && error.offset == offset, "\(error)")
    #expect(error.message.hasPrefix("'x.pb' is not a GTFS-Realtime feed message: "))
    #expect(error.message.contains(reason), "\(error.message)")
    #expect(error.message.hasSuffix(", at offset \(offset)."))
    #expect(error.advice?.hasPrefix("Fetch it again") == true && error.path == "x.pb")
  }

  @Test func `every beginning of a message is refused or read, and only the whole is whole`() throws
  {
    let bytes = [UInt8](try Data(contentsOf: Self.sample))
    let count = try TripUpdates(feedMessage: bytes).updates.count
    var refused = 0
    for end in bytes.indices {
      do {
        let message = try TripUpdates(feedMessage: Array(bytes[..<end]))
        #expect(message.updates.count <= count)
      } catch {
        #expect(error.code == .malformedMessage && (error.offset ?? .max) <= end)
        refused += 1
      }
    }
    // Only after an entity the beginning is a message, too.
    #expect(refused == bytes.count - 6)
  }

  @Test(arguments: [(1, "(incrementality DIFFERENTIAL)"), (7, "(incrementality 7)")])
  func `a message of changes is not supported`(incrementality: Int, words: String) throws {
    let error = try refusal(
      Wire.message(1, Wire.text(1, "2.0"), Wire.number(2, incrementality)) + Wire.entity())
    #expect(error.code == .unsupportedMessage && error.message.contains(words))
    #expect(error.advice == "Fetch the feed of full datasets (FULL_DATASET).")
  }

  @Test func `100 MB are refused before they are read`() throws {
    let error = try #require(throws: TransitError.self) {
      _ = try TripUpdates(feedMessage: Data(repeating: 0x0A, count: 100_000_000))
    }
    #expect(error.code == .unsupportedMessage && error.message.contains("64 MiB"))
  }

  @Test func `a message of exactly the largest size is read`() throws {
    let message = Wire.header + Wire.entity()
    var limits = FeedMessageDecoder.Limits()
    limits.byteCount = message.count
    #expect(try TripUpdates(feedMessage: message, limits: limits).updates.count == 1)
    #expect(try refusal(message + Wire.number(9, 1), limits: limits).code == .unsupportedMessage)
  }

  /// Two bytes each, hundreds in memory.
  @Test func `empty stops cannot use up the memory`() throws {
    var limits = FeedMessageDecoder.Limits()
    limits.entryByteCount = 1000 * MemoryLayout<StopTimeUpdate>.stride
    let stops = { (count: Int) in
      Wire.header + Wire.entity(Array(repeating: [0x12, 0x00], count: count).flatMap(\.self))
    }
    #expect(try refusal(stops(1001), limits: limits).code == .unsupportedMessage)
    limits.entryByteCount += MemoryLayout<TripUpdate>.stride
    let message = try TripUpdates(feedMessage: stops(1000), limits: limits)
    #expect(message.updates[0].stopTimeUpdates.count == 1000)
    // What remains for trips is used up, too.
    let second = stops(1000) + Wire.entity()
    #expect(try refusal(second, limits: limits).code == .unsupportedMessage)
  }

  /// Eight bytes each, hundreds in memory: 8 MB took 1.4 GB.
  @Test func `a message with more updates than any feed has is refused before they are decoded`()
    throws
  {
    var limits = FeedMessageDecoder.Limits()
    (limits.updateCount, limits.stopCount) = (10, 6)
    let stop: [UInt8] = Wire.message(2, Wire.number(1, 1))
    let entity = { (stops: Int) -> [UInt8] in
      Wire.entity([UInt8](repeatElement(stop, count: stops).joined()))
    }
    let most = Wire.header + entity(6) + entity(2)
    #expect(try TripUpdates(feedMessage: most, limits: limits).updates.count == 2)
    for message in [most + Wire.entity(), Wire.header + entity(7)] {
      let error = try refusal(message, limits: limits)
      #expect(error.code == .unsupportedMessage && error.message.contains("updates"))
    }
    // A fault after them is not reached.
    #expect(try refusal(most + Wire.entity() + [0xFF], limits: limits).message.contains("updates"))
  }

  @Test func `a missing file and a folder are errors of their own`() throws {
    let directory = try TemporaryDirectory()
    let missing = try #require(throws: TransitError.self) {
      _ = try TripUpdates(contentsOf: directory.file("missing.pb"))
    }
    #expect(missing.code == .notFound && missing.message.contains("missing.pb"))
    let folder = try #require(throws: TransitError.self) {
      _ = try TripUpdates(contentsOf: directory.url)
    }
    #expect(folder.code == .unreadable && folder.underlying != nil)
  }

  @Test func `a device without an end is refused`() throws {
    let error = try #require(throws: TransitError.self) {
      _ = try TripUpdates(contentsOf: URL(filePath: "/dev/zero"))
    }
    #expect(error.code == .unsupportedMessage)
  }

  /// Parts of one message are merged, and each costs what it adds: with copies this takes minutes.
  @Test(.timeLimit(.minutes(1))) func `an update in many parts is read in linear time`() throws {
    let count = FeedMessageDecoder.Limits().stopCount
    let trip = Wire.message(3, Wire.message(1, Wire.text(1, "T")))
    let part = Wire.message(3, Wire.message(2, Wire.number(1, 1)))
    let parts = [UInt8](repeatElement(part, count: count).joined())
    let update = try decode(Wire.header, Wire.message(2, Wire.text(1, "e"), trip, parts)).updates[0]
    #expect(update.stopTimeUpdates.count == count)
  }

  @Test(.timeLimit(.minutes(1))) func `an alert in many parts is read in linear time`() throws {
    let count = 200_000
    let part = Wire.message(5, Wire.message(10, Wire.message(1, Wire.text(1, "t"))))
    let parts = [UInt8](repeatElement(part, count: count).joined())
    let message = try RealtimeMessage(
      feedMessage: Data(Wire.header + Wire.message(2, Wire.text(1, "e"), parts)))
    #expect(message.alerts[0].headerText?.translations.count == count)
  }

  @Test func `modifications of trips are no entities of another kind`() throws {
    let modifications = Wire.message(8, Wire.message(1, Wire.text(1, "T")))
    let message = try decode(
      Wire.header, Wire.message(2, Wire.text(1, "m"), modifications),
      Wire.message(2, Wire.text(1, "v"), Wire.message(4, Wire.text(7, "S"))))
    #expect(message.tripModifications.map(\.id) == ["m"])
    #expect(message.otherEntityCount == 1)
  }
}
