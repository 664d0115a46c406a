// The typed functions again for up to eight values, which the compiler then specializes: it does not unroll a
// loop over a parameter pack, and asks each value's type for everything at run time.

extension Statement {
  /// Runs the statement to its end with the value of its parameter.
  @inlinable
  public func execute(
    _ a: some DatabaseValueConvertible
  ) throws {
    try execute {
      $0.bindNext(a.databaseValue)
    } values: {
      [a.databaseValue]
    }
  }

  /// Runs the statement to its end with the values of its 2 parameters, in order.
  @inlinable
  public func execute(
    _ a: some DatabaseValueConvertible, _ b: some DatabaseValueConvertible
  ) throws {
    try execute {
      $0.bindNext(a.databaseValue)
      $0.bindNext(b.databaseValue)
    } values: {
      [a.databaseValue, b.databaseValue]
    }
  }

  /// Runs the statement to its end with the values of its 3 parameters, in order.
  @inlinable
  public func execute(
    _ a: some DatabaseValueConvertible, _ b: some DatabaseValueConvertible,
    _ c: some DatabaseValueConvertible
  ) throws {
    try execute {
      $0.bindNext(a.databaseValue)
      $0.bindNext(b.databaseValue)
      $0.bindNext(c.databaseValue)
    } values: {
      [a.databaseValue, b.databaseValue, c.databaseValue]
    }
  }

  /// Runs the statement to its end with the values of its 4 parameters, in order.
  @inlinable
  public func execute(
    _ a: some DatabaseValueConvertible, _ b: some DatabaseValueConvertible,
    _ c: some DatabaseValueConvertible, _ d: some DatabaseValueConvertible
  ) throws {
    try execute {
      $0.bindNext(a.databaseValue)
      $0.bindNext(b.databaseValue)
      $0.bindNext(c.databaseValue)
      $0.bindNext(d.databaseValue)
    } values: {
      [a.databaseValue, b.databaseValue, c.databaseValue, d.databaseValue]
    }
  }

  /// Runs the statement to its end with the values of its 5 parameters, in order.
  @inlinable
  public func execute(
    _ a: some DatabaseValueConvertible, _ b: some DatabaseValueConvertible,
    _ c: some DatabaseValueConvertible, _ d: some DatabaseValueConvertible,
    _ e: some DatabaseValueConvertible
  ) throws {
    try execute {
      $0.bindNext(a.databaseValue)
      $0.bindNext(b.databaseValue)
      $0.bindNext(c.databaseValue)
      $0.bindNext(d.databaseValue)
      $0.bindNext(e.databaseValue)
    } values: {
      [a.databaseValue, b.databaseValue, c.databaseValue, d.databaseValue, e.databaseValue]
    }
  }

  /// Runs the statement to its end with the values of its 6 parameters, in order.
  @inlinable
  public func execute(
    _ a: some DatabaseValueConvertible, _ b: some DatabaseValueConvertible,
    _ c: some DatabaseValueConvertible, _ d: some DatabaseValueConvertible,
    _ e: some DatabaseValueConvertible, _ f: some DatabaseValueConvertible
  ) throws {
    try execute {
      $0.bindNext(a.databaseValue)
      $0.bindNext(b.databaseValue)
      $0.bindNext(c.databaseValue)
      $0.bindNext(d.databaseValue)
      $0.bindNext(e.databaseValue)
      $0.bindNext(f.databaseValue)
    } values: {
      [
        a.databaseValue, b.databaseValue, c.databaseValue, d.databaseValue, e.databaseValue,
        f.databaseValue,
      ]
    }
  }

  /// Runs the statement to its end with the values of its 7 parameters, in order.
  @inlinable
  public func execute(
    _ a: some DatabaseValueConvertible, _ b: some DatabaseValueConvertible,
    _ c: some DatabaseValueConvertible, _ d: some DatabaseValueConvertible,
    _ e: some DatabaseValueConvertible, _ f: some DatabaseValueConvertible,
    _ g: some DatabaseValueConvertible
  ) throws {
    try execute {
      $0.bindNext(a.databaseValue)
      $0.bindNext(b.databaseValue)
      $0.bindNext(c.databaseValue)
      $0.bindNext(d.databaseValue)
      $0.bindNext(e.databaseValue)
      $0.bindNext(f.databaseValue)
      $0.bindNext(g.databaseValue)
    } values: {
      [
        a.databaseValue, b.databaseValue, c.databaseValue, d.databaseValue, e.databaseValue,
        f.databaseValue, g.databaseValue,
      ]
    }
  }

  /// Runs the statement to its end with the values of its 8 parameters, in order.
  @inlinable
  public func execute(
    _ a: some DatabaseValueConvertible, _ b: some DatabaseValueConvertible,
    _ c: some DatabaseValueConvertible, _ d: some DatabaseValueConvertible,
    _ e: some DatabaseValueConvertible, _ f: some DatabaseValueConvertible,
    _ g: some DatabaseValueConvertible, _ h: some DatabaseValueConvertible
  ) throws {
    try execute {
      $0.bindNext(a.databaseValue)
      $0.bindNext(b.databaseValue)
      $0.bindNext(c.databaseValue)
      $0.bindNext(d.databaseValue)
      $0.bindNext(e.databaseValue)
      $0.bindNext(f.databaseValue)
      $0.bindNext(g.databaseValue)
      $0.bindNext(h.databaseValue)
    } values: {
      [
        a.databaseValue, b.databaseValue, c.databaseValue, d.databaseValue, e.databaseValue,
        f.databaseValue, g.databaseValue, h.databaseValue,
      ]
    }
  }
}
