/// A cursor, which returns the elements of a result one by one without keeping them in memory.
///
/// A cursor is valid only during the access that created it.
public protocol Cursor<Element>: AnyObject {
  /// The type of the elements.
  associatedtype Element

  /// Returns the next element, or `nil` at the end.
  ///
  /// - Throws: ``DatabaseError`` with SQLite's code; ``RowDecodingError`` when a row does
  ///   not convert.
  func next() throws -> Element?
}

extension Cursor {
  /// Calls the closure with each element.
  ///
  /// - Parameter body: Called once per element, in order; an error it throws ends the loop.
  /// - Throws: Whatever `next` or `body` throws.
  @inlinable
  public func forEach(_ body: (Element) throws -> Void) throws {
    while let element = try next() {
      try body(element)
    }
  }
}
