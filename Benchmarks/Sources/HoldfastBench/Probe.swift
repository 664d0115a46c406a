/// One side of a case: does the work once and says what it cost.
struct Probe {
  let read: (_ countsAllocations: Bool) throws -> Reading

  /// A probe that takes the time of a closure, in nanoseconds per operation.
  ///
  /// - Parameters:
  ///   - operations: How many operations one run does.
  ///   - work: What is timed. What it returns is called afterwards, outside of the time: it proves
  ///     the work by a digest, and puts things back for the next run.
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

/// What one run of a probe found.
struct Reading {
  let value: Double

  /// Blocks asked of the heap per operation; `nil` when they were not counted.
  let allocations: Double?

  /// Equal for probes that did the same work.
  let proof: UInt64
}
