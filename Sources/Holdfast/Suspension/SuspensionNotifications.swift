public import Foundation
import HoldfastSQLite

extension Database {
  /// Suspends the databases whose `Configuration.observesSuspensionNotifications` is set.
  ///
  /// Post it to `NotificationCenter.default`; the databases are suspended when the posting returns.
  public static let suspendNotification = Notification.Name("Holdfast.Database.Suspend")

  /// Resumes the databases whose `Configuration.observesSuspensionNotifications` is set.
  public static let resumeNotification = Notification.Name("Holdfast.Database.Resume")
}

/// Suspends and resumes one database as it is told by the two notifications.
final class SuspensionNotifications: Sendable {
  // Sendable because the tokens are only kept, and given back to the centre when this goes.
  private nonisolated(unsafe) let tokens: [any NSObjectProtocol]

  init(_ suspension: Suspension) {
    let center = NotificationCenter.default
    unsafe tokens = [
      center.addObserver(forName: Database.suspendNotification, object: nil, queue: nil) {
        [weak suspension] _ in suspension?.suspend(within: .seconds(1))
      },
      center.addObserver(forName: Database.resumeNotification, object: nil, queue: nil) {
        [weak suspension] _ in suspension?.resume()
      },
    ]
  }

  deinit {
    for token in unsafe tokens { NotificationCenter.default.removeObserver(token) }
  }
}
