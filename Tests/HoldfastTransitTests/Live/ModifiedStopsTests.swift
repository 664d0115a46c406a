import Foundation
import Testing

@testable import HoldfastTransit

/// The stops of a trip after modifications, by each rule of the specification.
@Suite struct ModifiedStopsTests {
  private static let start = Date(timeIntervalSince1970: 1_780_000_000)

  /// Stops with these identifiers, at these minutes; they are numbered 10, 20, and so on.
  private func stops(_ stops: KeyValuePairs<String, Double?>) -> [ScheduledStopTime] {
    stops.enumerated().map { index, stop in
      let time = stop.value.map { Self.start + 60 * $0 }
      return ScheduledStopTime(
        stopSequence: 10 * (index + 1), stopID: stop.key, arrival: time, departure: time)
    }
  }

  private func part(
    _ start: TripModifications.StopSelector, _ end: TripModifications.StopSelector? = nil,
    delay: Int? = nil, serving replacements: KeyValuePairs<String, Int?> = [:]
  ) -> TripModifications.Modification {
    var modification = TripModifications.Modification()
    (modification.startStopSelector, modification.endStopSelector) = (start, end)
    modification.propagatedModificationDelay = delay.map { .seconds($0) }
    modification.replacementStops = replacements.map { stop in
      TripModifications.ReplacementStop(
        stopID: stop.key, travelTime: stop.value.map { .seconds($0) })
    }
    return modification
  }

  private func number(_ sequence: Int) -> TripModifications.StopSelector {
    TripModifications.StopSelector(stopSequence: sequence)
  }

  private func name(_ stopID: String) -> TripModifications.StopSelector {
    TripModifications.StopSelector(stopID: stopID)
  }

  /// The stops that are served, with their minutes.
  private func served(
    _ stops: [ScheduledStopTime], _ modifications: TripModifications.Modification...
  ) throws -> String {
    let found = try ModifiedStops(modifications, to: stops).served
    #expect(found.map(\.stopSequence) == Array(1...found.count))
    return found.map { stop in
      let minutes = stop.arrival.map { $0.timeIntervalSince(Self.start) / 60 }
      return "\(stop.stopID) \(minutes.map { "\($0)".replacing(".0", with: "") } ?? "-")"
    }.joined(separator: ", ")
  }

  private func fault(
    _ stops: [ScheduledStopTime], _ modifications: TripModifications.Modification...
  ) -> ModifiedStops.Fault? {
    do throws(ModifiedStops.Fault) {
      _ = try ModifiedStops(modifications, to: stops)
      return nil
    } catch {
      return error
    }
  }

  /// The trip of the specification's first figure.
  private var figure: [ScheduledStopTime] {
    stops(["A": 0, "B": 2, "C": 3, "D": 4, "E": 5, "F": 8, "G": 9])
  }

  @Test func `Stops are served instead of others, and those after them later`() throws {
    #expect(
      try served(figure, part(number(30), number(50), delay: 60, serving: ["X": 180, "Y": 300]))
        == "A 0, B 2, X 5, Y 7, F 9, G 10")
    #expect(
      try served(figure, part(name("C"), name("E"), serving: ["X": 60]))
        == "A 0, B 2, X 3, F 8, G 9")
    #expect(
      try served(figure, part(name("C"), name("C"), serving: ["X": 60, "Y": 60, "Z": 90]))
        == "A 0, B 2, X 3, Y 3, Z 3.5, D 4, E 5, F 8, G 9")
    // A negative delay; the whole rest of the trip.
    #expect(try served(figure, part(name("B"), name("E"), delay: -120)) == "A 0, F 6, G 7")
    #expect(
      try served(figure, part(name("F"), name("G"), delay: 60, serving: ["X": 120]))
        .hasSuffix("E 5, X 7"))
  }

  @Test func `Delays of several modifications add up, in whatever order they are written`() throws {
    let trip = stops(["A": 15, "B": 16, "C": 18, "D": 19, "E": 20, "F": 21, "G": 23])
    let (first, second) = (
      part(name("C"), name("C"), delay: 120), part(name("E"), name("E"), delay: 60)
    )
    let expected = "A 15, B 16, D 21, F 24, G 26"
    #expect(try served(trip, first, second) == expected)
    #expect(try served(trip, second, first) == expected)
    // Times of travel are counted from the arrival at the stop before, which is later by then.
    #expect(
      try served(trip, first, part(name("E"), name("E"), delay: 60, serving: ["X": 90]))
        == "A 15, B 16, D 21, X 22.5, F 24, G 26")
  }

  @Test func `Where the first stop is modified, it is the one from which times are counted`() throws
  {
    #expect(
      try served(figure, part(number(10), number(20), serving: ["X": -60, "Y": 30]))
        == "X -1, Y 0.5, C 3, D 4, E 5, F 8, G 9")
    #expect(
      try served(figure, part(name("A"), serving: ["X": -120])).hasPrefix("X -2, A 0, B 2, C 3"))
    #expect(fault(figure, part(name("B"), name("B"), serving: ["X": -60])) == .decreasingTime)
    #expect(
      fault(figure, part(name("B"), name("B"), serving: ["X": 90, "Y": 60])) == .decreasingTime)
  }

  @Test func `Without an end no stop is left out`() throws {
    #expect(
      try served(figure, part(number(30), delay: 60, serving: ["X": 30]))
        == "A 0, B 2, X 2.5, C 4, D 5, E 6, F 9, G 10")
    // Only the way is another one: the delay begins after the stop.
    #expect(
      try served(figure, part(number(30), delay: 60)) == "A 0, B 2, C 3, D 5, E 6, F 9, G 10")
    #expect(try served(figure, part(number(70), delay: 60)).hasSuffix("F 8, G 9"))
  }

  @Test func `Times that are not given lie between those around them`() throws {
    #expect(
      try served(figure, part(name("C"), name("E"), serving: ["X": nil, "Y": nil]))
        == "A 0, B 2, X 4, Y 6, F 8, G 9")
    #expect(
      try served(figure, part(name("C"), name("E"), delay: 180, serving: ["X": nil, "Y": nil]))
        == "A 0, B 2, X 5, Y 8, F 11, G 12")
    #expect(
      try served(figure, part(name("C"), name("E"), serving: ["W": nil, "X": 60, "Y": nil]))
        == "A 0, B 2, W 2.5, X 3, Y 5.5, F 8, G 9")
    // At the ends of the trip its own duration is the one that is known.
    #expect(
      try served(figure, part(name("F"), name("G"), serving: ["X": nil])).hasSuffix("E 5, X 9"))
    #expect(
      try served(figure, part(name("A"), name("B"), serving: ["X": nil, "Y": nil]))
        .hasPrefix("X 0, Y 1.5, C 3"))
    let unknown = stops(["A": nil, "B": nil, "C": 5])
    #expect(
      try served(unknown, part(name("B"), name("B"), delay: 60, serving: ["X": 60]))
        == "A -, X -, C 6")
  }

  @Test func `Times stay unknown where those around them decrease`() throws {
    let tooEarly = stops(["A": 0, "B": 5, "C": 1])
    #expect(
      try served(tooEarly, part(name("C"), name("C"), serving: ["X": nil, "Y": nil]))
        == "A 0, B 5, X -, Y -")
    #expect(
      try served(tooEarly, part(name("B"), serving: ["X": 60, "Y": 120]))
        == "A 0, X 1, Y 2, B 5, C 1")
    #expect(
      try served(tooEarly, part(name("B"), name("B"), serving: ["X": 240, "Y": nil]))
        == "A 0, X 4, Y -, C 1")
    #expect(
      try served(tooEarly, part(name("C"), name("C"), serving: ["X": 60, "Y": nil, "Z": nil]))
        == "A 0, B 5, X 6, Y -, Z -")
    let backward = stops(["A": 5, "B": 1])
    #expect(
      try served(backward, part(name("A"), name("B"), serving: ["X": nil, "Y": nil, "Z": nil]))
        == "X 5, Y -, Z -")
    // A stop of which the timetable knows no time bounds nothing.
    let unknown = stops(["A": 0, "B": 1, "C": nil])
    #expect(
      try served(unknown, part(name("B"), name("B"), serving: ["X": nil])) == "A 0, X -, C -")
  }

  /// As the agency of Montréal writes detours at the ends of lines, without any time.
  @Test func `A stop may be replaced by others and by itself`() throws {
    let modified = try ModifiedStops(
      [part(number(10), number(10), serving: ["X": nil, "A": nil])], to: figure)
    #expect(modified.served.map(\.stopID) == ["X", "A", "B", "C", "D", "E", "F", "G"])
    // It is not skipped as well.
    #expect(modified.places == [nil, nil, 1, 2, 3, 4, 5, 6])
    #expect(
      try served(figure, part(number(10), number(10), serving: ["X": nil, "A": nil]))
        .hasPrefix("X 0, A 1, B 2"))
    #expect(
      try served(figure, part(number(70), number(70), serving: ["G": nil, "X": nil]))
        .hasSuffix("F 8, G 8.5, X 9"))
  }

  @Test func `A loop is told apart by numbers, or else begins with the first visit`() throws {
    let loop = stops(["A": 0, "B": 1, "C": 2, "A ": 3, "B": 4, "A": 5])
    #expect(try served(loop, part(number(50), number(50))) == "A 0, B 1, C 2, A  3, A 5")
    #expect(try served(loop, part(name("B"), name("A"))) == "A 0")
    #expect(try served(loop, part(name("C"), name("B"))) == "A 0, B 1, A 5")
    // The number counts if its stop has the name, and otherwise the name.
    let both = TripModifications.StopSelector(stopSequence: 50, stopID: "B")
    #expect(try served(loop, part(both, both)) == "A 0, B 1, C 2, A  3, A 5")
    let other = TripModifications.StopSelector(stopSequence: 50, stopID: "C")
    #expect(try served(loop, part(other, other)) == "A 0, B 1, A  3, B 4, A 5")
  }

  @Test func `What names no stop of the trip, or one twice, is not applied`() throws {
    #expect(fault(figure, part(number(35), number(50))) == .unknownStop)
    #expect(fault(figure, part(name("C"), name("X"))) == .unknownStop)
    #expect(fault(figure, part(number(50), number(30))) == .unknownStop)
    #expect(fault(figure, TripModifications.Modification()) == .unknownStop)
    #expect(fault([], part(number(10))) == .unknownStop)
    #expect(
      fault(figure, part(name("B"), name("D")), part(name("D"), name("E"))) == .overlap)
    #expect(
      fault(figure, part(name("B"), name("D")), part(name("C"), serving: ["X": 1])) == .overlap)
    #expect(fault(figure, part(name("B")), part(name("B"), name("C"))) == .overlap)
    // Next to one another.
    #expect(
      try served(figure, part(name("B"), name("C"), delay: 60), part(name("D"), name("D")))
        == "A 0, E 6, F 9, G 10")
    // Nothing is left.
    #expect(try ModifiedStops([part(name("A"), name("G"))], to: figure).served.isEmpty)
  }
}
