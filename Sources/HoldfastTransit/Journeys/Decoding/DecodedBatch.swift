/// Patterns that are decoded for searches of journeys on several threads.
struct DecodedBatch {
  /// The number of patterns of a batch, and that of those that a thread decodes at once.
  static let most = 1024
  static let share = 256

  private let patterns: [Int]
  private let parts: ConcurrentMap<Result<DecodedPatterns, any Error>>

  /// Begins to decode patterns.
  ///
  /// - Parameters:
  ///   - patterns: The indices of the patterns.
  ///   - blobs: Their timings and runs, in turns.
  ///   - network: The network of the patterns.
  ///   - path: The path of the database.
  init(
    _ patterns: ArraySlice<Int>, _ blobs: BlobList, _ network: JourneyNetwork, _ path: String?
  ) {
    let patterns = Array(patterns)
    self.patterns = patterns
    parts = ConcurrentMap((patterns.count + Self.share - 1) / Self.share) { number in
      Result { try DecodedPatterns(Self.share(number, of: patterns), blobs, network, path) }
    }
  }

  /// Takes what was decoded, part by part with its patterns, once.
  ///
  /// - Throws: ``TransitError`` with `.damaged`; whatever the closure throws.
  func forEach(_ body: (DecodedPatterns, ArraySlice<Int>) throws -> Void) throws {
    var number = 0
    try parts.forEach { part in
      try body(try part.get(), Self.share(number, of: patterns))
      number += 1
    }
  }

  private static func share(_ number: Int, of patterns: [Int]) -> ArraySlice<Int> {
    patterns[number * share..<min((number + 1) * share, patterns.count)]
  }
}
