import CAllocations

/// How many blocks the process asks of the heap; not known on every platform.
enum HeapCount {
  static func begin() {
    allocations_begin()
  }

  /// Returns the blocks asked for since `begin`, `nil` where nobody can tell.
  static func end() -> UInt64? {
    let count = allocations_end()
    return allocations_can_be_counted() ? count : nil
  }
}
