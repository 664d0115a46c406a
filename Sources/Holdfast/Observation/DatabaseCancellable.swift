import Synchronization

/// An operation that continues until it is cancelled.
public protocol DatabaseCancellable: AnyObject, Sendable {
  /// Cancels the operation; a second call does nothing.
  func cancel()
}

/// An operation that continues until it is cancelled, or until this object is deinitialized.
public final class AnyDatabaseCancellable: DatabaseCancellable {
  /// Ends the operation; `nil` as soon as it is called.
  private let end: Mutex<(@Sendable () -> Void)?>

  /// Creates a cancellable from a closure.
  ///
  /// - Parameter cancel: Ends the operation; it is called once, on any thread, and released then.
  public init(cancel: @escaping @Sendable () -> Void) {
    end = Mutex(cancel)
  }

  /// Creates a cancellable that cancels another one.
  ///
  /// - Parameter base: The cancellable, which is kept.
  public convenience init(_ base: some DatabaseCancellable) {
    self.init { base.cancel() }
  }

  deinit {
    cancel()
  }

  /// Cancels the operation, and releases what it needed; a second call does nothing.
  public func cancel() {
    // Called and released outside of the lock, which either might need.
    let end = end.withLock { $0.take() }
    end?()
  }

  /// Stores the cancellable in a collection.
  ///
  /// - Parameter collection: The collection to which it is appended.
  public func store(in collection: inout some RangeReplaceableCollection<AnyDatabaseCancellable>) {
    collection.append(self)
  }

  /// Stores the cancellable in a set.
  ///
  /// - Parameter set: The set into which it is inserted.
  public func store(in set: inout Set<AnyDatabaseCancellable>) {
    set.insert(self)
  }
}

extension AnyDatabaseCancellable: Hashable {
  /// Whether both are the same object.
  public static func == (lhs: AnyDatabaseCancellable, rhs: AnyDatabaseCancellable) -> Bool {
    lhs === rhs
  }

  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
