/// Something that goes on until it is cancelled.
public protocol DatabaseCancellable: AnyObject {
  /// Ends it; a second call does nothing.
  func cancel()
}

/// Something that goes on until it is cancelled, or until nobody keeps this any more.
public final class AnyDatabaseCancellable: DatabaseCancellable, Sendable {
  private let end: @Sendable () -> Void

  /// Creates a cancellable from a closure.
  ///
  /// - Parameter cancel: Ends what goes on; it may be called several times, on any thread.
  public init(cancel: @escaping @Sendable () -> Void) {
    end = cancel
  }

  deinit {
    end()
  }

  /// Ends it; a second call does nothing.
  public func cancel() {
    end()
  }

  /// Keeps it in a collection.
  ///
  /// - Parameter collection: Where it is appended.
  public func store(in collection: inout some RangeReplaceableCollection<AnyDatabaseCancellable>) {
    collection.append(self)
  }

  /// Keeps it in a set.
  ///
  /// - Parameter set: Where it is inserted.
  public func store(in set: inout Set<AnyDatabaseCancellable>) {
    set.insert(self)
  }
}

extension AnyDatabaseCancellable: Hashable {
  /// Whether both are one and the same.
  public static func == (lhs: AnyDatabaseCancellable, rhs: AnyDatabaseCancellable) -> Bool {
    lhs === rhs
  }

  /// Feeds the identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
