extension TimetableContent {
  /// Adds how often trips call at each stop.
  func countDepartures(_ counts: inout StopCounts) {
    var runs = [Int](repeating: 0, count: patterns.count)
    for run in self.runs { runs[Int(run.pattern)] += 1 }
    for (pattern, count) in zip(patterns, runs) where count > 0 {
      for call in pattern.calls { counts[call.sid] += count }
    }
  }
}
