/// How much of a feed's shapes an import keeps.
///
/// The shapes of a city are often larger than everything else in its database.
public enum ShapeDetail: String, Sendable, CaseIterable {
  /// No shapes: a trip keeps its `shape_id`, and has no path.
  case none
  /// The points that are enough to draw each path with an error of at most 5 meters.
  case simplified
  /// All points, as in the feed.
  case full
}
