extension Position {
  /// Returns the least distance between positions of two sets, in meters; infinity if one is empty.
  static func leastDistance(between starts: Set<Position>, and ends: Set<Position>) -> Double {
    if starts.count * ends.count <= fewPairs {
      return starts.lazy.flatMap { start in ends.lazy.map { start.distance(to: $0).meters } }.min()
        ?? .infinity
    }
    let (fewer, more) = starts.count < ends.count ? (starts, ends) : (ends, starts)
    let index = StopIndex(
      more.map { StopIndex.Place(sid: 0, position: $0, locationType: 0) })
    return fewer.lazy.flatMap { index.nearest(to: $0, limit: 1).lazy.map(\.distance.meters) }
      .min() ?? .infinity
  }

  private static let fewPairs = 10_000
}
