// The typed functions again for up to eight values, which the compiler then specializes: it does not unroll a
// loop over a parameter pack, and asks each value's type for everything at run time. Only a program that calls
// one has its code, which as unspecialized code of the library would be fifty kilobytes in each program.

extension Statement {
  /// Runs the statement to its end with the value of its parameter.
  @_alwaysEmitIntoClient
  public func execute(
    _ a: some DatabaseValueConvertible
  ) throws {
    try beginBinding()
    bindNext(a.databaseValue)
    do {
      try executeBound()
    } catch {
      throw failure(error, of: [a.databaseValue])
    }
  }

  /// Runs the statement to its end with the values of its 2 parameters, in order.
  @_alwaysEmitIntoClient
  public func execute(
    _ a: some DatabaseValueConvertible, _ b: some DatabaseValueConvertible
  ) throws {
    try beginBinding()
    bindNext(a.databaseValue)
    bindNext(b.databaseValue)
    do {
      try executeBound()
    } catch {
      throw failure(error, of: [a.databaseValue, b.databaseValue])
    }
  }

  /// Runs the statement to its end with the values of its 3 parameters, in order.
  @_alwaysEmitIntoClient
  public func execute(
    _ a: some DatabaseValueConvertible, _ b: some DatabaseValueConvertible,
    _ c: some DatabaseValueConvertible
  ) throws {
    try beginBinding()
    bindNext(a.databaseValue)
    bindNext(b.databaseValue)
    bindNext(c.databaseValue)
    do {
      try executeBound()
    } catch {
      throw failure(error, of: [a.databaseValue, b.databaseValue, c.databaseValue])
    }
  }

  /// Runs the statement to its end with the values of its 4 parameters, in order.
  @_alwaysEmitIntoClient
  public func execute(
    _ a: some DatabaseValueConvertible, _ b: some DatabaseValueConvertible,
    _ c: some DatabaseValueConvertible, _ d: some DatabaseValueConvertible
  ) throws {
    try beginBinding()
    bindNext(a.databaseValue)
    bindNext(b.databaseValue)
    bindNext(c.databaseValue)
    bindNext(d.databaseValue)
    do {
      try executeBound()
    } catch {
      throw failure(
        error, of: [a.databaseValue, b.databaseValue, c.databaseValue, d.databaseValue])
    }
  }

  /// Runs the statement to its end with the values of its 5 parameters, in order.
  @_alwaysEmitIntoClient
  public func execute(
    _ a: some DatabaseValueConvertible, _ b: some DatabaseValueConvertible,
    _ c: some DatabaseValueConvertible, _ d: some DatabaseValueConvertible,
    _ e: some DatabaseValueConvertible
  ) throws {
    try beginBinding()
    bindNext(a.databaseValue)
    bindNext(b.databaseValue)
    bindNext(c.databaseValue)
    bindNext(d.databaseValue)
    bindNext(e.databaseValue)
    do {
      try executeBound()
    } catch {
      throw failure(
        error,
        of: [a.databaseValue, b.databaseValue, c.databaseValue, d.databaseValue, e.databaseValue])
    }
  }

  /// Runs the statement to its end with the values of its 6 parameters, in order.
  @_alwaysEmitIntoClient
  public func execute(
    _ a: some DatabaseValueConvertible, _ b: some DatabaseValueConvertible,
    _ c: some DatabaseValueConvertible, _ d: some DatabaseValueConvertible,
    _ e: some DatabaseValueConvertible, _ f: some DatabaseValueConvertible
  ) throws {
    try beginBinding()
    bindNext(a.databaseValue)
    bindNext(b.databaseValue)
    bindNext(c.databaseValue)
    bindNext(d.databaseValue)
    bindNext(e.databaseValue)
    bindNext(f.databaseValue)
    do {
      try executeBound()
    } catch {
      throw failure(
        error,
        of: [
          a.databaseValue, b.databaseValue, c.databaseValue, d.databaseValue, e.databaseValue,
          f.databaseValue,
        ])
    }
  }

  /// Runs the statement to its end with the values of its 7 parameters, in order.
  @_alwaysEmitIntoClient
  public func execute(
    _ a: some DatabaseValueConvertible, _ b: some DatabaseValueConvertible,
    _ c: some DatabaseValueConvertible, _ d: some DatabaseValueConvertible,
    _ e: some DatabaseValueConvertible, _ f: some DatabaseValueConvertible,
    _ g: some DatabaseValueConvertible
  ) throws {
    try beginBinding()
    bindNext(a.databaseValue)
    bindNext(b.databaseValue)
    bindNext(c.databaseValue)
    bindNext(d.databaseValue)
    bindNext(e.databaseValue)
    bindNext(f.databaseValue)
    bindNext(g.databaseValue)
    do {
      try executeBound()
    } catch {
      throw failure(
        error,
        of: [
          a.databaseValue, b.databaseValue, c.databaseValue, d.databaseValue, e.databaseValue,
          f.databaseValue, g.databaseValue,
        ])
    }
  }

  /// Runs the statement to its end with the values of its 8 parameters, in order.
  @_alwaysEmitIntoClient
  public func execute(
    _ a: some DatabaseValueConvertible, _ b: some DatabaseValueConvertible,
    _ c: some DatabaseValueConvertible, _ d: some DatabaseValueConvertible,
    _ e: some DatabaseValueConvertible, _ f: some DatabaseValueConvertible,
    _ g: some DatabaseValueConvertible, _ h: some DatabaseValueConvertible
  ) throws {
    try beginBinding()
    bindNext(a.databaseValue)
    bindNext(b.databaseValue)
    bindNext(c.databaseValue)
    bindNext(d.databaseValue)
    bindNext(e.databaseValue)
    bindNext(f.databaseValue)
    bindNext(g.databaseValue)
    bindNext(h.databaseValue)
    do {
      try executeBound()
    } catch {
      throw failure(
        error,
        of: [
          a.databaseValue, b.databaseValue, c.databaseValue, d.databaseValue, e.databaseValue,
          f.databaseValue, g.databaseValue, h.databaseValue,
        ])
    }
  }
}
