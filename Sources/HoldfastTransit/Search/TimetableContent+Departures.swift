extension TimetableContent {
  /// How often trips call at each stop.
  package var departureCounts: [Int64: Int] {
    var runs = [Int](repeating: 0, count: patterns.count)
    for run in self.runs { runs[Int(run.pattern)] += 1 }
    var counts: [Int64: Int] = [:]
    for (pattern, count) in zip(patterns, runs) where count > 0 {
      for call in pattern.calls { counts[call.sid, default: 0] += count }
    }
    return counts
  }
}
