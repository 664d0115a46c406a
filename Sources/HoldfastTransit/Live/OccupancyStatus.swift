/// How full a vehicle is, as messages say it.
///
/// - SeeAlso: <https://gtfs.org/documentation/realtime/reference/#enum-occupancystatus>
enum OccupancyStatus {
  private static let noData: Int32 = 7

  /// Without ``noData``.
  private static let names = [
    0: "EMPTY", 1: "MANY_SEATS_AVAILABLE", 2: "FEW_SEATS_AVAILABLE", 3: "STANDING_ROOM_ONLY",
    4: "CRUSHED_STANDING_ROOM_ONLY", 5: "FULL", 6: "NOT_ACCEPTING_PASSENGERS", 8: "NOT_BOARDABLE",
  ]

  /// Returns whether the specification has a number.
  static func isKnown(_ number: Int32) -> Bool { number == noData || names[Int(number)] != nil }

  /// Returns the name of a number; `nil` for `NO_DATA_AVAILABLE`, and the number if it has no name here.
  static func name(of number: Int32) -> String? {
    number == noData ? nil : names[Int(number)] ?? "\(number)"
  }
}
