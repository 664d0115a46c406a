import Foundation

/// Values by position, in one block of memory from which they are bound without a copy.
///
/// The block contains numbers, and the bytes of texts and blobs while there is room; longer ones
/// are kept as they are. The content of the block does not move as long as a copy of the value
/// exists, so SQLite need not copy it either.
@safe
@usableFromInline
struct PackedValues {
  struct Header {
    var count: Int
    let capacity: Int

    /// The number of bytes that texts and blobs may take, and that they take.
    let room: Int
    var used = 0
    var kept: [DatabaseValue]?
  }

  /// The cells, and after them the bytes; `nil` without values, and for a single integer.
  private var block: ManagedBuffer<Header, PackedValue>?

  /// The only value, if it is an integer, such as a key: it needs no memory of its own.
  private var integer: Int64?

  /// Creates no values.
  @usableFromInline
  init() {
    block = nil
  }

  /// Creates NULLs, and calls the closure to set them.
  private init(count: Int, capacity: Int? = nil, filling fill: (Filling) -> Void) {
    let capacity = capacity ?? count
    guard capacity > 0 else {
      block = nil
      return
    }
    // Room for a name and a few codes; what is longer has its own memory anyhow.
    let cellsOfBytes = 4 + 2 * min(capacity, 64)
    let block = ManagedBuffer<Header, PackedValue>.create(minimumCapacity: capacity + cellsOfBytes)
    { _ in
      Header(
        count: count, capacity: capacity, room: cellsOfBytes * MemoryLayout<PackedValue>.stride)
    }
    // Before it is stored, from where it would be retained first.
    unsafe block.withUnsafeMutablePointers { header, cells in
      unsafe cells.initialize(repeating: .null, count: capacity)
      unsafe fill(Filling(header: header, cells: cells))
    }
    self.block = block
  }

  /// Creates a single value.
  private init(_ value: DatabaseValue) {
    if case .int64(let integer) = value.storage {
      self.init()
      self.integer = integer
    } else {
      self.init(count: 1) { $0.set(value, at: 0) }
    }
  }

  /// Creates a copy of values.
  init(_ values: [DatabaseValue]) {
    if values.count == 1 {
      self.init(values[0])
    } else {
      self.init(count: values.count) { $0.set(values, from: 0) }
    }
  }

  /// Creates the values of an array, which are read where they lie.
  ///
  /// It can be changed, though nothing changes it: an element that is read otherwise is copied first,
  /// and destroyed, through its type's witnesses.
  @usableFromInline
  init(reading elements: inout [(any DatabaseValueConvertible)?]) {
    if elements.count == 1, let value = elements[0]?.valueInPlace() {
      self.init(value)
      return
    }
    self.init(count: elements.count) { filling in
      unsafe elements.withUnsafeMutableBufferPointer { elements in
        guard let start = elements.baseAddress else { return }
        for index in elements.indices {
          if let value = unsafe start[index]?.valueInPlace() { filling.set(value, at: index) }
        }
      }
    }
  }

  /// Appends values; of many calls most cost no copy of what was there.
  mutating func append(contentsOf values: [DatabaseValue]) {
    let start = count
    let end = start + values.count
    // A single integer is moved into a block too.
    if !isKnownUniquelyReferenced(&block) || end > block?.header.capacity ?? 0 {
      let before = array
      self = PackedValues(count: end, capacity: 2 * end) { $0.set(before, from: 0) }
    }
    unsafe block?.withUnsafeMutablePointers { header, cells in
      unsafe header.pointee.count = end
      unsafe Filling(header: header, cells: cells).set(values, from: start)
    }
  }

  // MARK: - Filling

  /// A block of which there is no copy yet; asking the object for each value would retain and release it.
  @safe
  private struct Filling {
    let header: UnsafeMutablePointer<Header>
    let cells: UnsafeMutablePointer<PackedValue>

    func set(_ values: [DatabaseValue], from start: Int) {
      for index in values.indices { set(values[index], at: start + index) }
    }

    // Consumed, because a copy of what may be a text costs more than all the rest.
    func set(_ value: consuming DatabaseValue, at index: Int) {
      guard case .stored(let storage) = value.content else { return put(keep(value), at: index) }
      switch storage {
      case .null: put(.null, at: index)
      case .int64(let value): put(.int64(value), at: index)
      case .double(let value): put(.double(value), at: index)
      case .string(let text): put(text, at: index)
      case .blob(let data): put(data, at: index)
      }
    }

    private func put(_ cell: PackedValue, at index: Int) {
      let count = unsafe header.pointee.count
      precondition(index >= 0 && index < count)
      unsafe cells[index] = cell
    }

    private func put(_ text: String, at index: Int) {
      let range = unsafe text.utf8.withContiguousStorageIfAvailable { utf8 in
        unsafe pack(UnsafeRawBufferPointer(utf8))
      }
      if let range = range ?? nil {
        put(.text(range), at: index)
      } else {
        put(keep(DatabaseValue(storage: .string(text))), at: index)
      }
    }

    private func put(_ data: Data, at index: Int) {
      if let range = unsafe data.withUnsafeBytes({ unsafe pack($0) }) {
        put(.blob(range), at: index)
      } else {
        put(keep(DatabaseValue(storage: .blob(data))), at: index)
      }
    }

    private func keep(_ value: DatabaseValue) -> PackedValue {
      if unsafe header.pointee.kept == nil { unsafe header.pointee.kept = [] }
      unsafe header.pointee.kept?.append(value)
      return unsafe .kept((header.pointee.kept?.count ?? 1) - 1)
    }

    private func pack(_ source: UnsafeRawBufferPointer) -> Range<Int>? {
      let start = unsafe header.pointee.used
      guard unsafe source.count <= header.pointee.room - start else { return nil }
      if let base = source.baseAddress {
        let bytes = unsafe UnsafeMutableRawPointer(cells + header.pointee.capacity)
        unsafe (bytes + start).copyMemory(from: base, byteCount: source.count)
      }
      unsafe header.pointee.used = start + source.count
      return start..<start + source.count
    }
  }

  // MARK: - Reading

  /// The number of values.
  var count: Int {
    if integer != nil { return 1 }
    return unsafe block?.withUnsafeMutablePointerToHeader { unsafe $0.pointee.count } ?? 0
  }

  /// Whether the values use enough memory to be released early.
  var areLarge: Bool {
    unsafe block?.withUnsafeMutablePointerToHeader { header in
      unsafe header.pointee.kept != nil || header.pointee.count > 64
    } ?? false
  }

  /// The values one by one.
  var array: [DatabaseValue] {
    let array = unsafe withCells { cells, bytes, kept in
      unsafe cells.map { unsafe $0.databaseValue(in: bytes, kept: kept) }
    }
    return array ?? []
  }

  /// Calls the closure with the cells, with the address from which their bytes are counted, and with
  /// what returns a value that is too long for the block.
  ///
  /// - Returns: `nil` without values, for which the closure is not called.
  func withCells<Result>(
    _ body: (UnsafeBufferPointer<PackedValue>, UnsafeRawPointer, (Int) -> DatabaseValue) -> Result
  ) -> Result? {
    if let integer {
      return unsafe withUnsafePointer(to: PackedValue.int64(integer)) { cell in
        unsafe body(
          UnsafeBufferPointer(start: cell, count: 1), UnsafeRawPointer(cell), { _ in .null })
      }
    }
    return unsafe block?.withUnsafeMutablePointers { header, cells in
      unsafe body(
        UnsafeBufferPointer(start: cells, count: header.pointee.count),
        UnsafeRawPointer(cells + header.pointee.capacity),
        { unsafe header.pointee.kept?[$0] ?? .null })
    }
  }
}

// Sendable because the block is written to only while there is one copy of it.
extension PackedValues: @unchecked Sendable {}

extension PackedValues: Hashable {
  @usableFromInline
  static func == (lhs: PackedValues, rhs: PackedValues) -> Bool {
    lhs.array == rhs.array
  }

  @usableFromInline
  func hash(into hasher: inout Hasher) {
    array.hash(into: &hasher)
  }
}

extension DatabaseValueConvertible {
  /// The value, of which an optional box makes no copy, because the function could change it.
  fileprivate mutating func valueInPlace() -> DatabaseValue { databaseValue }
}
