import HoldfastSQLite

/// A reader that forwards every access to another one.
///
/// Use it where a concrete type is required; otherwise `any DatabaseReader` suffices.
public final class AnyDatabaseReader: ForwardingReader {
  let forwardedReader: any DatabaseReader

  /// Creates a reader that forwards to another one.
  ///
  /// - Parameter base: A queue, a pool, a snapshot, or any other reader.
  public init(_ base: any DatabaseReader) {
    forwardedReader = base
  }
}

extension DatabaseReader {
  /// The reader to which a type-erased one forwards.
  var unerased: any DatabaseReader {
    switch self {
    case let reader as AnyDatabaseReader: reader.forwardedReader.unerased
    case let writer as AnyDatabaseWriter: writer.forwardedReader.unerased
    default: self
    }
  }
}
