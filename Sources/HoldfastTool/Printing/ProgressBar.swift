/// A progress bar on standard error, shown only on a terminal.
///
/// It is drawn at most 20 times a second, from any thread.
struct ProgressBar: Sendable {
  let console: Console

  /// Whether the bar is shown; programs get none.
  let isShown: Bool

  /// Shows the completed fraction of the work and a label.
  ///
  /// - Parameters:
  ///   - fraction: A number from 0 to 1; others are clamped.
  ///   - label: A few words.
  /// - Throws: `CancellationError` when the process was interrupted.
  func show(_ fraction: Double, _ label: String) throws {
    try console.checkInterruption()
    if isShown { console.showBar { Self.text(fraction, label, columns: $0) } }
  }

  /// Returns the bar as text: `Reading stops.txt [######--------------]  30%`.
  static func text(_ fraction: Double, _ label: String, columns: Int) -> String {
    let share = fraction.isNaN ? 0 : min(max(fraction, 0), 1)
    let percent = "\(Int(share * 100))%".paddingLeft(toColumn: 4)
    let label = label.escapingControls.truncated(toColumns: max(0, columns - percent.count - 1))
    // The bar is surrounded by a space, two brackets and a space.
    let room = min(30, columns - label.displayWidth - percent.count - 4)
    guard room >= 5 else { return "\(label) \(percent)" }
    let done = String(repeating: "#", count: Int(share * Double(room)))
    let rest = String(repeating: "-", count: room - done.count)
    return "\(label) [\(done)\(rest)] \(percent)"
  }
}
