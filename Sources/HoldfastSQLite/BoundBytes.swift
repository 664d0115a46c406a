/// Memory of a statement for the short texts and blobs that are bound to it.
///
/// SQLite is told that they stay where they are, and need not copy each into a block of its own.
/// They do: until the statement binds anew they are not touched.
@safe
struct BoundBytes: ~Copyable {
  private static let capacity = 1024

  private var memory: UnsafeMutableRawPointer?
  private var count = 0

  /// Whether something was too long since the last `removeAll`, and SQLite has a copy of its own.
  private(set) var wereExceeded = false

  deinit {
    unsafe memory?.deallocate()
  }

  /// Makes room for the values of another run.
  mutating func removeAll() {
    count = 0
    wereExceeded = false
  }

  /// Keeps the bytes, if there is room for them.
  ///
  /// - Returns: Where they are now, never `nil` for an empty text; `nil` when there is no room.
  mutating func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    guard bytes.count <= Self.capacity - count else {
      wereExceeded = true
      return nil
    }
    let memory =
      unsafe self.memory
      ?? UnsafeMutableRawPointer.allocate(byteCount: Self.capacity, alignment: 1)
    unsafe self.memory = memory
    let place = unsafe memory + count
    if let base = bytes.baseAddress { unsafe place.copyMemory(from: base, byteCount: bytes.count) }
    count += bytes.count
    return UnsafeRawPointer(place)
  }
}
