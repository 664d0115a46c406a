extension Unmanaged {
  /// Calls the closure with the object, without a retain and a release.
  ///
  /// The object must live until the closure returns.
  // The only use of an underscored function of the standard library. Its public twin,
  // `takeUnretainedValue`, costs the retain and the release for which these references are
  // unmanaged: in optimized code a call through it has both, and one through this has neither.
  // Inlined always, so that the caller's code is the same as with the function itself.
  @unsafe
  @inline(__always)
  func withBorrowed<Result>(_ body: (Instance) throws -> Result) rethrows -> Result {
    try unsafe _withUnsafeGuaranteedRef(body)
  }
}
