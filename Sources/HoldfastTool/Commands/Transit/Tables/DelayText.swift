/// The delay of a vehicle in a table: "+2 min", "-30 s", "on time".
struct DelayText: CustomStringConvertible {
  let description: String

  /// Creates the text of a delay in whole seconds.
  init(_ delay: Duration) {
    let seconds = delay.components.seconds
    let sign = seconds > 0 ? "+" : ""
    description =
      seconds == 0
      ? "on time" : seconds % 60 == 0 ? "\(sign)\(seconds / 60) min" : "\(sign)\(seconds) s"
  }
}
