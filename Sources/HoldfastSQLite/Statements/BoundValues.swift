#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// The values of a run that are bound one by one, and memory for their texts.
///
/// The memory is used again for each run, so that a run allocates none, and SQLite neither.
@safe
struct BoundValues: ~Copyable {
  /// The number of values so far.
  private(set) var count: CInt = 0

  /// The last code of a value that SQLite refused.
  var code: CInt = SQLITE_OK

  private var texts: UnsafeMutableRawPointer?
  private var used = 0

  // Longer texts are rare, and cost more than the copy that SQLite makes of them.
  private static let longest = 256
  private static let capacity = 2048

  deinit {
    unsafe texts?.deallocate()
  }

  mutating func begin() {
    count = 0
    code = SQLITE_OK
    used = 0
  }

  mutating func nextIndex() -> CInt {
    count += 1
    return count
  }

  /// Copies a short text to memory that is not moved until the next run.
  ///
  /// - Returns: The copy; `nil` for a long text, and when the memory is full.
  @inline(__always)
  mutating func keep(_ text: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    guard text.count <= Self.longest, text.count <= Self.capacity - used else { return nil }
    let texts: UnsafeMutableRawPointer
    if let existing = unsafe self.texts {
      unsafe texts = existing
    } else {
      unsafe texts = .allocate(byteCount: Self.capacity, alignment: 1)
      unsafe self.texts = texts
    }
    let start = unsafe texts + used
    if let base = text.baseAddress { unsafe start.copyMemory(from: base, byteCount: text.count) }
    used += text.count
    return UnsafeRawPointer(start)
  }
}
