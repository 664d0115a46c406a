import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// The alerts that are looked at for a departure.
@Suite struct AlertIndexTests {
  private static func alert(_ selectors: EntitySelector...) -> Alert {
    var alert = Alert(id: "a")
    alert.informedEntities = selectors
    return alert
  }

  private static func selector(_ change: (inout EntitySelector) -> Void) -> EntitySelector {
    var selector = EntitySelector()
    change(&selector)
    return selector
  }

  private var subject: AlertSubject {
    var subject = AlertSubject()
    (subject.agencyID, subject.routeID, subject.routeType) = ("A", "R", 3)
    (subject.tripID, subject.directionID, subject.startDate) = ("T", 1, "20260105")
    subject.stopIDs = [ExactText("S"), ExactText("Station")]
    return subject
  }

  @Test func `only the alerts that name something of a departure are looked at`() {
    let alerts = (0..<1000).map { number in
      Self.alert(Self.selector { $0.stopID = number == 700 ? "S" : "S\(number)" })
    }
    #expect(AlertIndex(alerts).numbers(about: subject) == [700])
  }

  @Test func `every selector that fits is found, by whichever of its fields`() {
    let names: [String?] = [nil, "own", "other"]
    func named(_ name: String?, _ own: String) -> String? { name.map { $0 == "own" ? own : $0 } }
    var alerts: [Alert] = []
    for agency in names {
      for route in names {
        for stop in names {
          for trip in [nil, "own", "other", "modified", "route"] as [String?] {
            for type in [nil, 3, 2] as [Int?] {
              let selector = Self.selector { selector in
                selector.agencyID = named(agency, "A")
                (selector.routeID, selector.routeType) = (named(route, "R"), type)
                (selector.stopID, selector.directionID) = (named(stop, "Station"), 1)
                switch trip {
                case nil: break
                case "route": selector.trip = TripDescriptor(routeID: "R", startDate: "20260105")
                case "modified":
                  selector.trip = TripDescriptor()
                  selector.trip?.modifiedTrip = ModifiedTripSelector(affectedTripID: "T")
                default: selector.trip = TripDescriptor(tripID: named(trip, "T"))
                }
              }
              alerts.append(Self.alert(selector, Self.selector { $0.stopID = "elsewhere" }))
            }
          }
        }
      }
    }
    let subject = subject
    let fitting = alerts.indices.filter { alerts[$0].informs(subject, asOf: nil) }
    let found = AlertIndex(alerts).numbers(about: subject)
    #expect(found.filter { alerts[$0].informs(subject, asOf: nil) } == fitting)
    // Each field is blank or the subject's own, and the trip is blank or named in one of three ways.
    #expect(fitting.count == 2 * 2 * 2 * 4 * 2 && found == found.sorted())
  }

  /// An alert of 10,000 trips was compared as a whole with each departure of a board.
  @Test func `only the selectors that name something of a departure are looked at`() {
    var alert = Alert(id: "a")
    alert.informedEntities = (0..<1000).map { number in
      Self.selector { $0.trip = TripDescriptor(tripID: number == 700 ? "T" : "T\(number)") }
    }
    var looks: [Int] = []
    let found = AlertIndex([alert]).numbers(about: subject) { _, selector in
      looks.append(selector)
      return true
    }
    #expect(looks == [700] && found == [0])
  }

  @Test func `an alert that is given is found once, and only while it is active`() {
    var own = Self.alert(Self.selector { $0.stopID = "S" })
    own.id = "own"
    let start = Date(timeIntervalSince1970: 1_767_600_000)
    own.activePeriods = [Alert.ActivePeriod(start: start, end: start + 60)]
    let other = Self.alert(Self.selector { $0.stopID = "elsewhere" })
    let index = AlertIndex([other, own])
    func found(_ others: Set<ExactText>, after seconds: Double) -> [String] {
      let moment = start + seconds
      return index.alerts(about: subject, or: others, from: moment, through: moment).map(\.id)
    }
    #expect(found([], after: 0) == ["own"])
    #expect(found([ExactText("a"), ExactText("own")], after: 59) == ["a", "own"])
    #expect(found([ExactText("a"), ExactText("own")], after: 60) == ["a"])
  }

  @Test func `many spans of time are one after another`() {
    var random = SeededRandom(unprinted: 7)
    let start = Date(timeIntervalSince1970: 1_767_600_000)
    for _ in 0..<200 {
      var alert = Alert(id: "a")
      alert.activePeriods = (0..<Int.random(in: 1...20, using: &random)).map { _ in
        let first = Double.random(in: 0...1000, using: &random).rounded()
        let length = Double.random(in: 1...60, using: &random).rounded()
        return Alert.ActivePeriod(
          start: Bool.random(using: &random) ? start + first : nil,
          end: Bool.random(using: &random) ? start + first + length : nil)
      }
      if Bool.random(using: &random) {
        alert.activePeriods.removeAll { $0.start == nil || $0.end == nil }
      }
      guard !alert.activePeriods.isEmpty else { continue }
      let spans = ActiveSpans(alert.activePeriods)
      for _ in 0..<50 {
        let first = start + Double.random(in: -10...1100, using: &random).rounded()
        let last =
          first
          + [0, Double.random(in: 0...100, using: &random).rounded()][
            Int.random(in: 0...1, using: &random)]
        #expect(
          spans.overlap(from: first, through: last) == alert.isActive(from: first, through: last))
      }
    }
  }
}

extension Alert {
  /// Returns whether one of the selectors fits.
  func informs(_ subject: AlertSubject, asOf timestamp: Date?) -> Bool {
    let moment = firstMoment(from: timestamp)
    return informedEntities.contains { $0.selects(subject, at: moment) }
  }
}
