extension TripCache {
  /// The memory that is used, in bytes.
  enum Limit {
    /// For the patterns and times of one question, which may be kept or not.
    static let board = 32 << 20
    /// For each half of the boards that are kept, and of the patterns.
    static let boards = 16 << 20
    static let patterns = 4 << 20
    /// For each half of the services that are kept.
    static let services = 2 << 20
    /// The number of trips in each half of those of routes that are kept, of 40 bytes each.
    static let starts = 500_000
  }
}
