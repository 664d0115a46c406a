/// A cursor that forwards to another cursor, an iterator or a closure.
public final class AnyCursor<Element>: Cursor {
  @usableFromInline let element: () throws -> Element?

  /// Creates a cursor that calls a closure for each element.
  ///
  /// - Parameter body: Returns the next element, or `nil` at the end.
  @inlinable
  public init(_ body: @escaping () throws -> Element?) {
    element = body
  }

  /// Creates a cursor that forwards to another one.
  ///
  /// - Parameter base: The cursor.
  @inlinable
  public convenience init(_ base: some Cursor<Element>) {
    self.init { try base.next() }
  }

  /// Creates a cursor of an iterator's elements.
  ///
  /// - Parameter iterator: The iterator.
  @inlinable
  public convenience init(iterator: some IteratorProtocol<Element>) {
    var iterator = iterator
    self.init { iterator.next() }
  }

  /// Creates a cursor of a sequence's elements.
  ///
  /// - Parameter sequence: The sequence.
  @inlinable
  public convenience init(_ sequence: some Sequence<Element>) {
    self.init(iterator: sequence.makeIterator())
  }

  /// Returns the next element, or `nil` at the end.
  @inlinable
  public func next() throws -> Element? { try element() }
}
