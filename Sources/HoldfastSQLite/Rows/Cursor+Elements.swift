// The operations of sequences. Those that return cursors call their closures when the returned cursor is
// advanced; it is valid as long as this one, and advances it.

extension Cursor {
  // MARK: - Finding

  /// Returns the first of the remaining elements that satisfies a predicate; `nil` if there is none.
  public func first(where predicate: (Element) throws -> Bool) throws -> Element? {
    while let element = try next() {
      if try predicate(element) { return element }
    }
    return nil
  }

  /// Returns whether one of the remaining elements satisfies a predicate.
  public func contains(where predicate: (Element) throws -> Bool) throws -> Bool {
    try first(where: predicate) != nil
  }

  /// Returns whether one of the remaining elements equals a value.
  public func contains(_ element: Element) throws -> Bool where Element: Equatable {
    try contains { $0 == element }
  }

  /// Returns the least of the remaining elements; `nil` if there is none.
  public func min(by areInIncreasingOrder: (Element, Element) throws -> Bool) throws -> Element? {
    guard let first = try next() else { return nil }
    return try reduce(into: first) { if try areInIncreasingOrder($1, $0) { $0 = $1 } }
  }

  /// Returns the least of the remaining elements; `nil` if there is none.
  public func min() throws -> Element? where Element: Comparable { try min(by: <) }

  /// Returns the greatest of the remaining elements; `nil` if there is none.
  public func max(by areInIncreasingOrder: (Element, Element) throws -> Bool) throws -> Element? {
    guard let first = try next() else { return nil }
    return try reduce(into: first) { if try areInIncreasingOrder($0, $1) { $0 = $1 } }
  }

  /// Returns the greatest of the remaining elements; `nil` if there is none.
  public func max() throws -> Element? where Element: Comparable { try max(by: <) }

  /// Combines the remaining elements, in order.
  public func reduce<Result>(
    _ initialResult: Result, _ next: (Result, Element) throws -> Result
  ) throws -> Result {
    try reduce(into: initialResult) { $0 = try next($0, $1) }
  }

  // MARK: - Parts

  /// Returns a cursor of the elements after the first one.
  public func dropFirst() -> AnyCursor<Element> { dropFirst(1) }

  /// Returns a cursor of the elements after the first ones.
  ///
  /// - Precondition: The count is not negative.
  public func dropFirst(_ count: Int) -> AnyCursor<Element> {
    Misuse.checkCount(count)
    var left = count
    return AnyCursor {
      while left > 0 {
        left -= 1
        guard try self.next() != nil else { return nil }
      }
      return try self.next()
    }
  }

  /// Returns a cursor that skips elements as long as they satisfy a predicate.
  public func drop(while predicate: @escaping (Element) throws -> Bool) -> AnyCursor<Element> {
    var isDropping = true
    return AnyCursor {
      while let element = try self.next() {
        if isDropping, try predicate(element) { continue }
        isDropping = false
        return element
      }
      return nil
    }
  }

  /// Returns the remaining elements without the last one.
  public func dropLast() throws -> [Element] { try dropLast(1) }

  /// Returns the remaining elements without the last ones.
  ///
  /// - Precondition: The count is not negative.
  public func dropLast(_ count: Int) throws -> [Element] {
    Misuse.checkCount(count)
    return try Array(self).dropLast(count)
  }

  /// Returns a cursor of the first elements.
  ///
  /// - Precondition: The length is not negative.
  public func prefix(_ maxLength: Int) -> AnyCursor<Element> {
    Misuse.checkCount(maxLength)
    var left = maxLength
    return AnyCursor {
      // No row is fetched that is not needed.
      guard left > 0 else { return nil }
      left -= 1
      return try self.next()
    }
  }

  /// Returns a cursor that ends before the first element that does not satisfy a predicate.
  public func prefix(while predicate: @escaping (Element) throws -> Bool) -> AnyCursor<Element> {
    var isAtEnd = false
    return AnyCursor {
      guard !isAtEnd, let element = try self.next(), try predicate(element) else {
        isAtEnd = true
        return nil
      }
      return element
    }
  }

  /// Returns the last of the remaining elements.
  ///
  /// - Precondition: The length is not negative.
  public func suffix(_ maxLength: Int) throws -> [Element] {
    Misuse.checkCount(maxLength)
    return try Array(self).suffix(maxLength)
  }

  // MARK: - Transforming

  /// Returns a cursor of the elements with their positions, from 0.
  public func enumerated() -> AnyCursor<(Int, Element)> {
    var position = -1
    return AnyCursor {
      guard let element = try self.next() else { return nil }
      position += 1
      return (position, element)
    }
  }

  /// Returns a cursor of the transformed elements that are not `nil`.
  public func compactMap<Value>(
    _ transform: @escaping (Element) throws -> Value?
  ) -> AnyCursor<Value> {
    AnyCursor {
      while let element = try self.next() {
        if let value = try transform(element) { return value }
      }
      return nil
    }
  }

  /// Returns a cursor of the elements of the sequences that a closure returns.
  public func flatMap<Segment: Sequence>(
    _ transform: @escaping (Element) throws -> Segment
  ) -> AnyCursor<Segment.Element> {
    flatMap { AnyCursor(try transform($0)) }
  }

  /// Returns a cursor of the elements of the cursors that a closure returns.
  public func flatMap<Segment: Cursor>(
    _ transform: @escaping (Element) throws -> Segment
  ) -> AnyCursor<Segment.Element> {
    var segment: Segment?
    return AnyCursor {
      while true {
        if let element = try segment?.next() { return element }
        guard let next = try self.next() else { return nil }
        segment = try transform(next)
      }
    }
  }

  /// Returns a cursor of the elements of the sequences.
  public func joined() -> AnyCursor<Element.Element> where Element: Sequence { flatMap { $0 } }

  /// Returns a cursor of the elements of the cursors.
  public func joined() -> AnyCursor<Element.Element> where Element: Cursor { flatMap { $0 } }

  /// Returns the remaining texts as one.
  public func joined() throws -> String where Element: StringProtocol { try joined(separator: "") }

  /// Returns the remaining texts as one, with a separator between them.
  public func joined(separator: String) throws -> String where Element: StringProtocol {
    try Array(self).joined(separator: separator)
  }
}

extension Sequence {
  /// Returns a cursor of the elements of the cursors that a closure returns.
  public func flatMap<Segment: Cursor>(
    _ transform: @escaping (Element) throws -> Segment
  ) -> AnyCursor<Segment.Element> {
    AnyCursor(self).flatMap(transform)
  }
}

extension RangeReplaceableCollection {
  /// Creates a collection of the remaining elements of a cursor, which is at its end afterwards.
  @inlinable
  public init(_ cursor: some Cursor<Element>) throws {
    self.init()
    try append(contentsOf: cursor)
  }

  /// Creates a collection of the remaining elements of a cursor, with space for a number of them.
  @inlinable
  public init(_ cursor: some Cursor<Element>, minimumCapacity: Int) throws {
    self.init()
    reserveCapacity(minimumCapacity)
    try append(contentsOf: cursor)
  }

  /// Appends the remaining elements of a cursor.
  @inlinable
  public mutating func append(contentsOf cursor: some Cursor<Element>) throws {
    while let element = try cursor.next() { append(element) }
  }
}

extension Set {
  /// Creates a set of the remaining elements of a cursor, which is at its end afterwards.
  @inlinable
  public init(_ cursor: some Cursor<Element>) throws {
    self.init()
    try formUnion(cursor)
  }

  /// Creates a set of the remaining elements of a cursor, with space for a number of them.
  @inlinable
  public init(_ cursor: some Cursor<Element>, minimumCapacity: Int) throws {
    self.init(minimumCapacity: minimumCapacity)
    try formUnion(cursor)
  }

  /// Inserts the remaining elements of a cursor.
  @inlinable
  public mutating func formUnion(_ cursor: some Cursor<Element>) throws {
    while let element = try cursor.next() { insert(element) }
  }

  /// Returns the set with the remaining elements of a cursor.
  @inlinable
  public func union(_ cursor: some Cursor<Element>) throws -> Set<Element> {
    var union = self
    try union.formUnion(cursor)
    return union
  }
}
