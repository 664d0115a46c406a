/// One side of a case, which does the work once and returns its cost.
struct Probe {
  let read: (_ countsAllocations: Bool) throws -> Reading

  /// Returns a probe that measures the time of a closure, in nanoseconds per operation.
  ///
  /// - Parameters:
  ///   - operations: The number of operations in one run.
  ///   - work: The closure that is timed. The closure that it returns is called afterwards and not
  ///     timed: it returns a digest that proves the work, and restores the state for the next run.
  /// - Returns: The probe.
  static func timed(
    per operations: Int, _ work: @escaping () throws -> () throws -> UInt64
  ) -> Probe {
    Probe { countsAllocations in
      if countsAllocations { HeapCount.begin() }
      let start = Stopwatch.now
      let proof = try work()
      let time = Stopwatch.now - start
      let allocations = countsAllocations ? HeapCount.end() : nil
      return Reading(
        value: time / Double(operations),
        allocations: allocations.map { Double($0) / Double(operations) },
        proof: try proof())
    }
  }
}

/// The result of one run of a probe.
struct Reading {
  let value: Double

  /// The number of heap allocations per operation; `nil` when they were not counted.
  let allocations: Double?

  /// Equal for probes that did the same work.
  let proof: UInt64
}
