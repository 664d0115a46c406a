import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// Alerts and vehicle positions of a message.
@Suite struct RealtimeMessageTests {
  private static let start = Date(timeIntervalSince1970: 1_767_600_000)

  private func message(_ entities: [UInt8]...) throws -> RealtimeMessage {
    try RealtimeMessage(
      feedMessage: Data(Wire.header + entities.flatMap { Wire.bytes(2, Wire.text(1, "e") + $0) }))
  }

  private func period(_ start: Int?, _ end: Int?) -> [UInt8] {
    let base = Int(Self.start.timeIntervalSince1970)
    let times = [(1, start), (2, end)].flatMap { field, time in
      time.map { Wire.number(field, base + $0) } ?? []
    }
    return Wire.bytes(1, times)
  }

  private func text(_ field: Int, _ translations: (String, String?)...) -> [UInt8] {
    Wire.bytes(
      field,
      translations.flatMap { text, language in
        Wire.bytes(1, Wire.text(1, text) + (language.map { Wire.text(2, $0) } ?? []))
      })
  }

  private func isActive(_ alert: Alert, _ start: Double, _ end: Double) -> Bool {
    alert.isActive(from: Self.start + start, through: Self.start + end)
  }

  @Test func `An alert has its texts, periods and entities`() throws {
    let alert = Wire.message(
      5, period(0, 100), period(500, nil), Wire.message(5, Wire.text(2, "R"), Wire.text(5, "S")),
      Wire.number(6, 4), Wire.number(7, 1), Wire.number(14, 99),
      text(8, ("https://a.example", nil)),
      text(10, ("Strike", "en"), ("Streik", "de")), text(11, ("No trains", nil), ("Rien", "fr")))
    let read = try #require(try message(alert).alerts.first)
    #expect((read.id, read.cause, read.effect) == ("e", "STRIKE", "NO_SERVICE"))
    #expect(read.severityLevel == "99")
    #expect(read.url?.text(in: ["de"]) == "https://a.example")
    #expect(read.headerText?.text(in: ["de-AT"]) == "Streik")
    #expect(read.headerText?.text(in: ["it", "en-GB"]) == "Strike")
    #expect(read.headerText?.text(in: ["it"]) == "Strike")
    #expect(read.descriptionText?.text(in: ["de"]) == "No trains")
    #expect(read.descriptionText?.text(in: []) == "No trains")
    #expect(read.informedEntities.count == 1 && read.informedEntities[0].routeID == "R")
    let moments = [-1, 0, 99, 100, 499, 500, 1_000_000].map { isActive(read, $0, $0) }
    #expect(moments == [false, true, true, false, false, true, true])
    #expect(isActive(read, 200, 600) && !isActive(read, 200, 300))
    // Without a period it is active as long as the message has it.
    #expect(isActive(Alert(id: "a"), 0, 0))
  }

  /// What took the place of `active_period` in 2026, and counts where it is there.
  @Test func `An alert is shown when riders are told of it, or else when it affects them`() throws {
    func alert(_ field: Int, _ start: Int?, _ end: Int?) -> [UInt8] {
      Wire.bytes(field, Array(period(start, end).dropFirst(2)))
    }
    for (periods, moments) in [
      (alert(2, 100, 200), [false, true, false]), (alert(3, 100, 200), [false, true, false]),
      (alert(1, 0, 50) + alert(2, 100, 200), [false, true, false]),
      (alert(1, 0, 50) + alert(3, 100, 200), [false, true, false]),
      // Told before, and in effect later.
      (alert(3, 200, 300) + alert(2, 0, 300), [true, true, true]),
      (alert(1, 0, 50), [true, false, false]),
    ] {
      let read = try #require(try message(Wire.message(5, periods)).alerts.first)
      #expect([10, 150, 250].map { isActive(read, $0, $0) } == moments)
    }
    let event = try message(Wire.message(5, Wire.number(6, 13))).alerts.first
    #expect(event?.cause == "SPECIAL_EVENT")
  }

  @Test func `All fields of a selector have to fit, and one is enough`() {
    var subject = AlertSubject()
    (subject.routeID, subject.routeType, subject.agencyID) = ("R", 3, "A")
    (subject.directionID, subject.tripID, subject.startDate) = (1, "T", "20260105")
    subject.stopIDs = [ExactText("S"), ExactText("station")]
    func selects(_ change: (inout EntitySelector) -> Void) -> Bool {
      var selector = EntitySelector()
      change(&selector)
      return selector.selects(subject)
    }
    #expect(!selects { _ in })
    #expect(selects { $0.stopID = "station" } && !selects { $0.stopID = "T" })
    #expect(selects { $0.agencyID = "A" } && !selects { $0.agencyID = "B" })
    #expect(selects { $0.routeType = 3 } && !selects { $0.routeType = 2 })
    #expect(
      selects {
        ($0.routeID, $0.stopID, $0.directionID) = ("R", "S", 1)
      })
    #expect(!selects { ($0.routeID, $0.stopID) = ("Q", "S") })
    #expect(!selects { ($0.routeID, $0.directionID) = ("R", 0) })
    #expect(selects { $0.trip = TripDescriptor(tripID: "T", startDate: "20260105") })
    #expect(!selects { $0.trip = TripDescriptor(tripID: "T", startDate: "20260106") })
    #expect(selects { $0.trip = TripDescriptor(routeID: "R", directionID: 1) })
    #expect(!selects { $0.trip = TripDescriptor(directionID: 1) })
  }

  /// As updates of trips are, which `TripUpdateIndexTests` examines.
  @Test(arguments: [false, true])
  func `An alert about a start after midnight is about one night`(isFrequencyBased: Bool) {
    // 24:10 of four service days, of which the second is 5 January.
    let first = Self.start + 58_200
    let nights = (-1...2).map { day in
      var subject = AlertSubject()
      (subject.routeID, subject.tripID) = ("R", "N")
      (subject.startDate, subject.startTime) = ("\(20_260_105 + day)", 87_000)
      (subject.start, subject.isFrequencyBased) = (first + Double(day * 86_400), isFrequencyBased)
      return subject
    }
    func found(
      _ trip: TripDescriptor, asOf moment: Double?, _ periods: Alert.ActivePeriod...
    ) -> [Int] {
      var (alert, entity) = (Alert(id: "1"), EntitySelector())
      entity.trip = trip
      (alert.informedEntities, alert.activePeriods) = ([entity], periods)
      return (-1...2).filter { day in
        alert.informs(nights[day + 1], asOf: moment.map { first + $0 })
      }
    }
    let clock = [
      TripDescriptor(tripID: "N", startTime: "00:10:00", startDate: "20260106"),
      TripDescriptor(routeID: "R", startTime: "00:10:00", startDate: "20260106"),
    ]
    for trip in clock {
      for moment in [nil, -90_000, -36_000, 3600.0] { #expect(found(trip, asOf: moment) == [0]) }
      for moment in [50_000.0, 86_400] { #expect(found(trip, asOf: moment) == [1]) }
      // When the alert is active says more than when the message was made.
      let (one, two) = (first - 7200, first + 79_200)
      #expect(found(trip, asOf: nil, Alert.ActivePeriod(start: two)) == [1])
      #expect(found(trip, asOf: -90_000, Alert.ActivePeriod(start: two, end: two + 9000)) == [1])
      #expect(found(trip, asOf: -90_000, Alert.ActivePeriod(start: one, end: one + 9000)) == [0])
      #expect(
        found(
          trip, asOf: 50_000, Alert.ActivePeriod(end: one + 9000),
          Alert.ActivePeriod(start: two, end: two + 9000)) == [1])
    }
    for (trip, days) in [
      (TripDescriptor(tripID: "N", startTime: "24:10:00", startDate: "20260105"), [0]),
      (TripDescriptor(routeID: "R", startTime: "24:10:00", startDate: "20260106"), [1]),
      (TripDescriptor(tripID: "N", startDate: "20260106"), [1]),
      (TripDescriptor(tripID: "N", startTime: "00:10:00", startDate: "tomorrow"), []),
      (TripDescriptor(tripID: "N", startTime: "00:10:00"), [-1, 0, 1, 2]),
      (TripDescriptor(tripID: "N", startTime: "00:20:00"), isFrequencyBased ? [] : [-1, 0, 1, 2]),
    ] {
      #expect(found(trip, asOf: -36_000) == days)
    }
  }

  @Test func `An alert about a run of hours is about the one that is on its way`() {
    // From 24:10 to 30:10 of 5 and 6 January.
    let first = Self.start + 58_200
    var (alert, entity) = (Alert(id: "1"), EntitySelector())
    entity.trip = TripDescriptor(tripID: "N", startTime: "00:10:00", startDate: "20260106")
    alert.informedEntities = [entity]
    let areInformed = (0...1).map { day in
      var subject = AlertSubject()
      (subject.tripID, subject.startDate) = ("N", "\(20_260_105 + day)")
      (subject.startTime, subject.start) = (87_000, first + Double(day * 86_400))
      subject.end = subject.start.map { $0 + 21_600 }
      return alert.informs(subject, asOf: first + 19_200)
    }
    #expect(areInformed == [true, false])
  }

  /// A city in Japan writes the names of its buses in Shift JIS.
  @Test func `A name in another encoding hides nothing else of a message`() throws {
    let vehicle = Wire.message(
      4, Wire.message(1, Wire.text(1, "T")),
      Wire.message(8, Wire.text(1, "bus 7"), Wire.bytes(2, [0x83, 0x7C, 0x37])))
    let read = try #require(try message(vehicle).vehiclePositions.first)
    #expect(read.trip?.tripID == "T" && read.vehicle?.id == "bus 7")
    #expect(read.vehicle?.label == "\u{FFFD}|7")
  }

  @Test func `A vehicle says where it is, and how full each carriage is`() throws {
    let vehicle = Wire.message(
      4, Wire.message(1, Wire.text(1, "T")), Wire.number(3, 5), Wire.number(4, 1),
      Wire.text(7, "S"), Wire.message(8, Wire.text(2, "17")), Wire.number(9, 3),
      Wire.number(10, 80), Wire.message(11, Wire.text(2, "1"), Wire.number(3, 5)),
      Wire.message(11, Wire.number(3, 7), Wire.number(4, -1)))
    let read = try #require(try message(vehicle).vehiclePositions.first)
    #expect(read.trip?.tripID == "T" && read.vehicle?.label == "17")
    #expect((read.stopID, read.currentStopSequence, read.currentStatus) == ("S", 5, "STOPPED_AT"))
    #expect((read.occupancyStatus, read.occupancyPercentage) == ("STANDING_ROOM_ONLY", 80))
    #expect(read.carriages.map(\.occupancyStatus) == ["FULL", nil])
    #expect(read.carriages.map(\.occupancyPercentage) == [nil, nil])
    let prefixed = try message(vehicle).prefixed(by: "x:").vehiclePositions.first
    #expect(prefixed?.stopID == "x:S" && prefixed?.trip?.tripID == "x:T")
  }

  @Test(
    arguments: [
      (52.5, 13.25, true), (-90, 180, true), (0, 13.25, true), (91, 13.25, false),
      (52.5, 181, false),
      (0, 0, false), (.nan, 13.25, false), (52.5, nil, false),
    ] as [(Float, Float?, Bool)])
  func `A place that no vehicle can have is none`(
    latitude: Float, longitude: Float?, isKnown: Bool
  ) throws {
    func float(_ field: Int, _ value: Float) -> [UInt8] {
      Wire.tag(field, 5) + (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> ($0 * 8)) }
    }
    let place = Wire.message(2, float(1, latitude), longitude.map { float(2, $0) } ?? [])
    let read = try #require(try message(Wire.message(4, place)).vehiclePositions.first)
    #expect(read.latitude == (isKnown ? Double(latitude) : nil))
    #expect(read.longitude == (isKnown ? longitude.map(Double.init) : nil))
  }

  @Test func `What is not applied is counted by its name`() throws {
    let modified = Wire.message(3, Wire.message(1, Wire.message(7, Wire.text(2, "T"))))
    let message = try message(
      Wire.message(5, period(0, 1)), Wire.message(8, Wire.text(3, "x")), Wire.message(6, []),
      modified, Wire.message(1000, []))
    #expect(
      message.tripUpdates.unappliedCounts
        == ["alert": 1, "shape": 1, "modified_trip": 1, "other": 1])
    #expect(message.tripUpdates.tripModifications.map(\.serviceDates) == [["x"]])
    #expect(message.tripUpdates.updates[0].trip.modifiedTrip?.affectedTripID == "T")
    let prefixed = message.prefixed(by: "x:").tripUpdates.updates[0].trip
    #expect(prefixed.modifiedTrip?.affectedTripID == "x:T" && prefixed.tripID == nil)
  }

  /// Only a trip that is not named in the usual way is none that an update could be applied to.
  @Test func `An update that names its trip beside the modified one is applied`() throws {
    let both = Wire.message(
      3, Wire.message(1, Wire.text(1, "T"), Wire.message(7, Wire.text(2, "T"))))
    #expect(try message(both).tripUpdates.unappliedCounts == [:])
  }

  @Test(arguments: ["{\"header\": {}}", "\u{FEFF} \n[1]"])
  func `JSON is refused by its name`(text: String) throws {
    let error = try #require(throws: TransitError.self) {
      try RealtimeMessage(feedMessage: Data(text.utf8))
    }
    #expect(error.code == .malformedMessage && error.message.contains("as JSON is not read"))
  }

  /// Clients in Java and streams of Kafka write messages so.
  @Test(arguments: [1, 3, 200])
  func `A message behind its length is named, and what to do`(tripCount: Int) throws {
    let one = Wire.header + (0..<tripCount).flatMap { Wire.entity(tripID: "T\($0)") }
    let delimited = Wire.varint(UInt64(one.count)) + one
    let (first, bytes) = (delimited.count - one.count, tripCount < 10 ? "byte" : "2 bytes")
    for (message, words, advice) in [
      (delimited, "has a feed message behind its length", "the first \(bytes), or"),
      (delimited + delimited, "has 2 feed messages, each behind its length", "Write the one"),
      (
        delimited + delimited + delimited.dropLast(), "has 2 feed messages, each behind its length",
        "Write the one"
      ),
    ] {
      let error = try #require(throws: TransitError.self) {
        try RealtimeMessage(feedMessage: Data(message))
      }
      #expect(error.code == .malformedMessage && error.message.contains(words), "\(error)")
      #expect(error.advice?.contains(advice) == true, "\(error)")
    }
    let rest = Data(delimited.dropFirst(first))
    #expect(try RealtimeMessage(feedMessage: rest).tripUpdates.updates.count == tripCount)
    // Only a whole message is one.
    let others = [
      Wire.varint(UInt64(one.count)) + one.dropLast(), delimited + [0], [5] + Array("abcde".utf8),
    ]
    for message in others {
      let error = try #require(throws: TransitError.self) {
        try RealtimeMessage(feedMessage: Data(message))
      }
      #expect(!error.message.contains("length"))
    }
  }

  @Test(arguments: [
    ("\n<!DOCTYPE html><p>Log in", "it is a page in HTML"), ("<html>", "it is a page in HTML"),
    ("version https://git-lfs.github.com/spec/v1\n", "it is a pointer of Git LFS"),
    ("\u{1F}\u{8B}\u{8}", "it is compressed by gzip"),
    ("PK\u{3}\u{4}\u{14}", "is a zip archive"),
    ("You have no access.", "is text, and a GTFS-Realtime feed message is binary"),
    ("header {\n  gtfs_realtime_version: \"2.0\"\n}\n", "is text"),
    ("<?xml version=\"1.0\"?><Siri/>", "is text"), ("CgUKAzIuMBITCgEx\n", "is text"),
  ])
  func `What servers and tools send in place of a message is named`(
    text: String, words: String
  ) throws {
    let bytes = text.unicodeScalars.map { UInt8($0.value) }
    let error = try #require(throws: TransitError.self) {
      try RealtimeMessage(feedMessage: Data(bytes))
    }
    #expect(error.code == .malformedMessage && error.message.contains(words), "\(error)")
    #expect(error.advice?.contains("etch") == true || words.contains("gzip"))
  }
}
