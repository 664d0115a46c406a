// Operations on the elements of a cursor.

extension Cursor {
  /// Returns a cursor of the transformed elements.
  ///
  /// - Parameter transform: Called for each element, when the returned cursor is advanced.
  /// - Returns: A cursor that is valid as long as this one, and advances it.
  @inlinable
  public func map<Value>(_ transform: @escaping (Element) throws -> Value) -> MapCursor<Self, Value>
  {
    MapCursor(base: self, transform: transform)
  }

  /// Returns a cursor of the elements that satisfy a predicate.
  ///
  /// - Parameter isIncluded: Called for each element, when the returned cursor is advanced.
  /// - Returns: A cursor that is valid as long as this one, and advances it.
  @inlinable
  public func filter(_ isIncluded: @escaping (Element) throws -> Bool) -> FilterCursor<Self> {
    FilterCursor(base: self, isIncluded: isIncluded)
  }

  /// Combines the remaining elements, in order.
  ///
  /// - Parameters:
  ///   - result: The initial result.
  ///   - next: Updates the result with an element.
  /// - Returns: The result after the last element.
  /// - Throws: Whatever the cursor or `next` throws.
  @inlinable
  public func reduce<Result>(
    into result: Result, _ next: (inout Result, Element) throws -> Void
  ) throws -> Result {
    var result = result
    try forEach { try next(&result, $0) }
    return result
  }

  /// Returns whether there are no more elements.
  ///
  /// - Returns: Whether the cursor is at its end; if not, the next element is consumed.
  /// - Throws: Whatever the cursor throws.
  public func isEmpty() throws -> Bool {
    try next() == nil
  }
}

/// A cursor of another cursor's transformed elements.
public final class MapCursor<Base: Cursor, Element>: Cursor {
  @usableFromInline let base: Base
  @usableFromInline let transform: (Base.Element) throws -> Element

  @usableFromInline
  init(base: Base, transform: @escaping (Base.Element) throws -> Element) {
    self.base = base
    self.transform = transform
  }

  /// Returns the next element, or `nil` at the end.
  @inlinable
  public func next() throws -> Element? {
    guard let element = try base.next() else { return nil }
    return try transform(element)
  }
}

/// A cursor of another cursor's elements that satisfy a predicate.
public final class FilterCursor<Base: Cursor>: Cursor {
  @usableFromInline let base: Base
  @usableFromInline let isIncluded: (Base.Element) throws -> Bool

  @usableFromInline
  init(base: Base, isIncluded: @escaping (Base.Element) throws -> Bool) {
    self.base = base
    self.isIncluded = isIncluded
  }

  /// Returns the next element, or `nil` at the end.
  @inlinable
  public func next() throws -> Base.Element? {
    while let element = try base.next() {
      if try isIncluded(element) { return element }
    }
    return nil
  }
}
