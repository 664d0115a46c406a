/// How far a long piece of work has come, shown on standard error while somebody watches.
///
/// It is drawn at most 20 times a second, from any thread.
struct ProgressBar: Sendable {
  let console: Console

  /// Whether the bar is shown; programs get none.
  let isShown: Bool

  /// Shows a share of the work and what is being done.
  ///
  /// - Parameters:
  ///   - fraction: From 0 to 1; what lies outside is taken for the nearer end.
  ///   - label: A few words.
  /// - Throws: `CancellationError` when the process was interrupted.
  func show(_ fraction: Double, _ label: String) throws {
    try console.checkInterruption()
    if isShown { console.showBar { Self.text(fraction, label, columns: $0) } }
  }

  /// The bar as text: `Reading stops.txt [######--------------]  30%`.
  static func text(_ fraction: Double, _ label: String, columns: Int) -> String {
    let share = fraction.isNaN ? 0 : min(max(fraction, 0), 1)
    let percent = "\(Int(share * 100))%".paddingLeft(toColumn: 4)
    let label = label.escapingControls.truncated(toColumns: max(0, columns - percent.count - 1))
    // A blank, two brackets and a blank stand around the bar.
    let room = min(30, columns - label.displayWidth - percent.count - 4)
    guard room >= 5 else { return "\(label) \(percent)" }
    let done = String(repeating: "#", count: Int(share * Double(room)))
    let rest = String(repeating: "-", count: room - done.count)
    return "\(label) [\(done)\(rest)] \(percent)"
  }
}
