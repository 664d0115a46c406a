import Holdfast
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
    #expect(AlertIndex(alerts).alerts(about: subject) == [700])
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
    let found = AlertIndex(alerts).alerts(about: subject)
    #expect(found.filter { alerts[$0].informs(subject, asOf: nil) } == fitting)
    // Each field is blank or the subject's own, and the trip is blank or named in one of three ways.
    #expect(fitting.count == 2 * 2 * 2 * 4 * 2 && found == found.sorted())
  }
}
