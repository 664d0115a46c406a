import Foundation

/// A random number generator that is determined by a seed.
///
/// The seed is printed in the test's output. `HOLDFAST_SEED=… swift test --filter …` repeats one
/// test with the numbers that made it fail.
///
/// - SeeAlso: SplitMix64, https://prng.di.unimi.it/splitmix64.c
public struct SeededRandom: RandomNumberGenerator {
  /// The seed.
  public let seed: UInt64

  private var state: UInt64

  /// Creates a generator with `seed`, with `HOLDFAST_SEED` or with a new seed, and prints the seed.
  ///
  /// - Parameters:
  ///   - seed: the seed.
  ///   - test: the text that is printed with the seed.
  public init(seed: UInt64? = nil, for test: String = #function) {
    let chosen = ProcessInfo.processInfo.environment["HOLDFAST_SEED"].flatMap(UInt64.init)
    self.seed = seed ?? chosen ?? UInt64.random(in: 0...UInt64.max)
    state = self.seed
    print("\(test): HOLDFAST_SEED=\(self.seed)")
  }

  /// Creates a generator with a seed that the caller prints when a test fails.
  ///
  /// - Parameter seed: the seed.
  public init(unprinted seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// Returns the next number.
  ///
  /// - Returns: 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
