/// A progress bar on standard error, shown only on a terminal.
///
/// It is drawn at most 20 times a second, from any thread. After a second it also shows the time that
/// remains, and the rate of work that counts its bytes.
struct ProgressBar: Sendable {
  let console: Console

  /// Whether the bar is shown; programs get none.
  let isShown: Bool

  /// When the work began.
  private let start = ContinuousClock.now

  /// The smallest width of a bar that is followed by a rate or a time.
  private static let leastWidth = 10

  /// Shows the completed fraction of the work and a label.
  ///
  /// - Parameters:
  ///   - fraction: A number from 0 to 1; others are clamped.
  ///   - label: A few words.
  ///   - byteCount: The number of bytes read so far; `nil` when they are not counted, or all are read.
  /// - Throws: `CancellationError` when the process was interrupted.
  func show(_ fraction: Double, _ label: String, byteCount: Double? = nil) throws {
    try console.checkInterruption()
    guard isShown else { return }
    console.showBar { columns in
      Self.text(
        fraction, label, elapsed: start.duration(to: .now), byteCount: byteCount, columns: columns)
    }
  }

  /// Returns the bar as text: `Reading stops.txt [######--------------]  30%  34 MB/s  12 s left`.
  ///
  /// On a narrow terminal the rate is left out first, then the time, then the bar.
  static func text(
    _ fraction: Double, _ label: String, elapsed: Duration = .zero, byteCount: Double? = nil,
    columns: Int
  ) -> String {
    let share = fraction.isNaN ? 0 : min(max(fraction, 0), 1)
    let percent = "\(Int(share * 100))%".paddingLeft(toColumn: 4)
    let label = label.escapingControls.truncated(toColumns: max(0, columns - percent.count - 1))
    // The bar is surrounded by a space, two brackets and a space.
    let free = columns - label.displayWidth - percent.count - 4
    let pace = ProgressPace(fraction: share, elapsed: elapsed, byteCount: byteCount)
    let choices: [[String?]] = [[pace.rateText, pace.remainingText], [pace.remainingText]]
    let details =
      choices.map { texts in texts.compactMap(\.self).map { "  " + $0 }.joined() }
      .first { text in free - text.count >= leastWidth } ?? ""
    let room = min(30, free - details.count)
    guard room >= 5 else { return "\(label) \(percent)" }
    let done = String(repeating: "#", count: Int(share * Double(room)))
    let rest = String(repeating: "-", count: room - done.count)
    return "\(label) [\(done)\(rest)] \(percent)\(details)"
  }
}
