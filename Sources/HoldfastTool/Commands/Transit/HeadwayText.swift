/// The time between two vehicles in a table: "every 10 min", "every 90 s".
struct HeadwayText: CustomStringConvertible {
  let description: String

  /// Creates the text of a headway in whole seconds.
  init(_ headway: Duration) {
    let seconds = headway.components.seconds
    description = seconds % 60 == 0 ? "every \(seconds / 60) min" : "every \(seconds) s"
  }
}
