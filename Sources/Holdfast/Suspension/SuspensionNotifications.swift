public import Foundation
public import HoldfastSQLite
import Synchronization

extension Database {
  /// Suspends the databases whose `Configuration.observesSuspensionNotifications` is set.
  ///
  /// Post it to `NotificationCenter.default`; the databases are suspended when the call returns.
  public static let suspendNotification = Notification.Name("Holdfast.Database.Suspend")

  /// Resumes the databases whose `Configuration.observesSuspensionNotifications` is set.
  public static let resumeNotification = Notification.Name("Holdfast.Database.Resume")
}

/// An observer that suspends and resumes one database on the two notifications.
final class SuspensionNotifications: Sendable {
  private let tokens = Mutex<[any NSObjectProtocol]>([])

  init(_ suspension: Suspension) {
    observe(Database.suspendNotification) { [weak suspension] in
      suspension?.suspend(within: .seconds(1))
    }
    observe(Database.resumeNotification) { [weak suspension] in
      suspension?.resume()
    }
  }

  private func observe(_ name: Notification.Name, _ happen: @escaping @Sendable () -> Void) {
    tokens.withLock { tokens in
      tokens.append(
        NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
          happen()
        })
    }
  }

  deinit {
    tokens.withLock { tokens in
      for token in tokens { NotificationCenter.default.removeObserver(token) }
    }
  }
}
