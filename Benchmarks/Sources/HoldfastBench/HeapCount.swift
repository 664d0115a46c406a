import CAllocations

/// A counter of the process's heap allocations; not available on every platform.
enum HeapCount {
  static func begin() {
    allocations_begin()
  }

  /// Returns the number of blocks allocated since `begin`; `nil` where it cannot be counted.
  static func end() -> UInt64? {
    let count = allocations_end()
    return allocations_can_be_counted() ? count : nil
  }
}
