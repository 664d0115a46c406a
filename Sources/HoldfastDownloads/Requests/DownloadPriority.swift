/// The order in which waiting downloads begin; with equal priority, they begin in the order of
/// their requests.
public enum DownloadPriority: Int, Comparable, Sendable, Codable, CaseIterable {
  /// After all others.
  case low
  /// The default.
  case normal
  /// Before all others.
  case high

  /// Whether the first priority is lower than the second.
  public static func < (lhs: DownloadPriority, rhs: DownloadPriority) -> Bool {
    lhs.rawValue < rhs.rawValue
  }
}
