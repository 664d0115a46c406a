/// How fast work gets done, and how long it still takes.
struct ProgressPace: Hashable, Sendable {
  /// The fraction of the work that is done, from 0 to 1.
  var fraction: Double

  /// The time since the work began.
  var elapsed: Duration

  /// The number of bytes read since then; `nil` when they are not counted, or all are read.
  var byteCount: Double?

  /// The shortest time after which a pace means something.
  private static let leastTime = Duration.seconds(1)

  /// The smallest fraction from which the time of the rest follows.
  private static let leastFraction = 0.02

  private var isMeasurable: Bool { elapsed >= Self.leastTime && fraction < 1 }

  private var seconds: Double { elapsed / .seconds(1) }

  /// The time that the rest takes at the pace so far: `12 s left`, `3 min left`.
  ///
  /// It is `nil` in the first second, below 2 percent, and at the end.
  var remainingText: String? {
    guard isMeasurable, fraction >= Self.leastFraction else { return nil }
    let remaining = (seconds * (1 - fraction) / fraction).rounded()
    if remaining < 60 { return "\(Int(max(1, remaining))) s left" }
    let minutes = (remaining / 60).rounded()
    if minutes < 60 { return "\(Int(minutes)) min left" }
    return "\(Int((minutes / 60).rounded())) h left"
  }

  /// The bytes read per second so far: `3.2 MB/s`, `34 MB/s`; a megabyte has 1,000,000 bytes.
  ///
  /// It is `nil` in the first second, at the end, and when bytes are not counted.
  var rateText: String? {
    guard isMeasurable, let byteCount else { return nil }
    let tenths = (byteCount / seconds / 100_000).rounded()
    guard tenths > 0 else { return nil }
    return tenths < 100 ? "\(tenths / 10) MB/s" : "\(Int((tenths / 10).rounded())) MB/s"
  }
}
