// What is done with the elements of a cursor, one by one.

extension Cursor {
  /// Returns a cursor of what the closure makes of each element.
  ///
  /// - Parameter transform: Called when an element is asked for.
  /// - Returns: A cursor that is valid as long as this one, and takes its elements.
  public func map<Value>(_ transform: @escaping (Element) throws -> Value) -> MapCursor<Self, Value>
  {
    MapCursor(base: self, transform: transform)
  }

  /// Returns a cursor of the elements that the closure wants.
  ///
  /// - Parameter isIncluded: Called when an element is asked for.
  /// - Returns: A cursor that is valid as long as this one, and takes its elements.
  public func filter(_ isIncluded: @escaping (Element) throws -> Bool) -> FilterCursor<Self> {
    FilterCursor(base: self, isIncluded: isIncluded)
  }

  /// Combines the elements that are left, in order.
  ///
  /// - Parameters:
  ///   - result: What comes out when there is none.
  ///   - next: Combines what came out so far with an element.
  /// - Returns: What came out.
  /// - Throws: What the cursor and `next` throw.
  public func reduce<Result>(
    into result: Result, _ next: (inout Result, Element) throws -> Void
  ) throws -> Result {
    var result = result
    try forEach { try next(&result, $0) }
    return result
  }

  /// Asks for the next element, and says whether there was none.
  ///
  /// - Returns: Whether there was none; the element is taken.
  /// - Throws: What the cursor throws.
  public func isEmpty() throws -> Bool {
    try next() == nil
  }
}

extension Array {
  /// Creates an array of the elements that a cursor has left.
  ///
  /// - Parameter cursor: It is at its end afterwards.
  /// - Throws: What the cursor throws.
  public init(_ cursor: some Cursor<Element>) throws {
    self = try cursor.reduce(into: []) { $0.append($1) }
  }
}

extension Set {
  /// Creates a set of the elements that a cursor has left.
  ///
  /// - Parameter cursor: It is at its end afterwards.
  /// - Throws: What the cursor throws.
  public init(_ cursor: some Cursor<Element>) throws {
    self = try cursor.reduce(into: []) { $0.insert($1) }
  }
}

/// Gives what is made of each element of another cursor.
public final class MapCursor<Base: Cursor, Element>: Cursor {
  private let base: Base
  private let transform: (Base.Element) throws -> Element

  init(base: Base, transform: @escaping (Base.Element) throws -> Element) {
    self.base = base
    self.transform = transform
  }

  /// Returns the next element, or `nil` at the end.
  public func next() throws -> Element? {
    try base.next().map(transform)
  }
}

/// Gives the elements of another cursor that are wanted.
public final class FilterCursor<Base: Cursor>: Cursor {
  private let base: Base
  private let isIncluded: (Base.Element) throws -> Bool

  init(base: Base, isIncluded: @escaping (Base.Element) throws -> Bool) {
    self.base = base
    self.isIncluded = isIncluded
  }

  /// Returns the next element, or `nil` at the end.
  public func next() throws -> Base.Element? {
    while let element = try base.next() {
      if try isIncluded(element) { return element }
    }
    return nil
  }
}
