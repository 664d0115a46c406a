#if canImport(Darwin)
  import Darwin
  package import Dispatch

  /// The signal over Darwin notifications, which reach every process of the device.
  ///
  /// - SeeAlso: `notify(3)`
  package final class DarwinSignal: Sendable {
    private let token: CInt

    /// Has the closure called after each ``post(database:)`` for the database; a process that is
    /// suspended is told once when it goes on, or not at all.
    ///
    /// - Parameters:
    ///   - path: The path of the database.
    ///   - queue: Where the closure is called.
    ///   - body: What is called.
    package init(
      database path: String, queue: DispatchQueue, _ body: @escaping @Sendable () -> Void
    ) {
      var token = CInt(0)
      _ = unsafe notify_register_dispatch(Self.name(path), &token, queue) { _ in body() }
      self.token = token
    }

    deinit {
      _ = notify_cancel(token)
    }

    /// Tells whoever listens that something was committed.
    package static func post(database path: String) {
      _ = unsafe notify_post(name(path))
    }

    /// By the last two names of the path: one container has different paths in two processes.
    private static func name(_ path: String) -> String {
      "holdfast.committed." + path.split(separator: "/").suffix(2).joined(separator: "/")
    }
  }
#endif
