#if canImport(Darwin)
  import Darwin
  package import Dispatch

  /// A signal sent as a Darwin notification, which reaches every process on the device.
  ///
  /// - SeeAlso: `notify(3)`
  package final class DarwinSignal: Sendable {
    private let token: CInt

    /// Registers a closure that is called after each ``post(database:)`` for the database.
    ///
    /// A suspended process is notified once when it resumes, or not at all.
    ///
    /// - Parameters:
    ///   - path: The path of the database.
    ///   - queue: The queue that the closure is called on.
    ///   - body: The closure.
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

    /// Notifies all registered processes of a commit.
    package static func post(database path: String) {
      _ = unsafe notify_post(name(path))
    }

    /// Returns a name made of the path's last two components: one container may have different
    /// paths in two processes.
    private static func name(_ path: String) -> String {
      "holdfast.committed." + path.split(separator: "/").suffix(2).joined(separator: "/")
    }
  }
#endif
