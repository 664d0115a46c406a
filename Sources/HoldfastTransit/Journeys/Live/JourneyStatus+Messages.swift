import Foundation

extension JourneyStatus.Problem: CustomStringConvertible {
  /// The problem, in a sentence for riders.
  public var description: String {
    switch self {
    case .canceled(let ride):
      "\(Self.name(ride)) from \(ride.board.stop.stopName) does not run."
    case .notServed(let ride, let stop):
      "\(Self.name(ride)) from \(ride.board.stop.stopName) does not stop at \(stop.stopName)."
    case .noAccess(let ride, let stop):
      "Nobody may \(stop == ride.board.stop ? "board" : "leave") \(Self.name(ride)) from "
        + "\(ride.board.stop.stopName) at \(stop.stopName)."
    case .noTime(let ride, let stop):
      "Live data do not say when \(Self.name(ride)) from \(ride.board.stop.stopName) is at "
        + "\(stop.stopName): its time there is missing, or does not fit those of other stops."
    case .noWheelchairAccess(let ride, let stop):
      Self.name(ride)
        + (stop.map { " stops at \($0.stopName), which" } ?? " from \(ride.board.stop.stopName)")
        + " is not known to be for wheelchairs."
    case .leavesEarly(let ride, let time):
      "\(Self.name(ride)) leaves \(ride.board.stop.stopName) \(Self.words(time)) too early."
    case .missedChange(let ride, let next, let time):
      "The change at \(ride.alight.stop.stopName) no longer works: \(Self.name(ride)) arrives "
        + "\(Self.words(time)) too late for \(Self.name(next))."
    case .noChange(let ride, let next):
      "The change no longer works: \(Self.name(ride)) stops at \(ride.alight.stop.stopName), and riders "
        + "cannot change from there to \(Self.name(next)) at \(next.board.stop.stopName)."
    }
  }

  /// The route and the trip, such as `S1 (trip 4711)`.
  private static func name(_ ride: Journey.Ride) -> String {
    let short = ride.route.routeShortName
    let name = short.isEmpty ? ride.route.routeLongName : short
    return name.isEmpty ? "Trip \(ride.tripID)" : "\(name) (trip \(ride.tripID))"
  }

  private static func words(_ time: Duration) -> String {
    let seconds = time.components.seconds
    return seconds < 60 ? "\(seconds) s" : "\((seconds + 59) / 60) min"
  }
}
