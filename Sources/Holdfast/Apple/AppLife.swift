#if canImport(UIKit) && !os(watchOS)
  import Foundation
  public import UIKit

  extension DatabaseBackgroundScheduler {
    /// Resumes the participating databases, until the system's time for the app ends.
    ///
    /// Call it before the app enters the foreground, and in each callback of a background mode that
    /// uses a database. In the background it begins a background task, whose expiration suspends
    /// the databases; an app that leaves the foreground begins one without a call.
    ///
    /// ```swift
    /// func applicationWillEnterForeground(_ application: UIApplication) {
    ///   DatabaseBackgroundScheduler.shared.resume(in: application)
    /// }
    /// ```
    ///
    /// - Parameter application: The app.
    /// - SeeAlso: <https://developer.apple.com/documentation/uikit/uiapplication/beginbackgroundtask(withname:expirationhandler:)>
    @MainActor public func resume(in application: UIApplication) {
      resume()
      if application.applicationState == .background { Self.time.begin(in: application) }
    }

    @MainActor private static let time = BackgroundTime<UIApplication>(
      suspend: { _ = shared.suspend() }, resume: { shared.resume() })

    /// Observes the app's life cycle; in an extension there are no such notifications.
    func followApp() {
      let center = NotificationCenter.default
      // The tokens are dropped, because the scheduler lives as long as the process.
      _ = center.addObserver(
        forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: nil
      ) { notification in
        guard let application = notification.object as? UIApplication else { return }
        // UIKit posts both on the main thread.
        MainActor.assumeIsolated { Self.time.begin(in: application) }
      }
      _ = center.addObserver(
        forName: UIApplication.didBecomeActiveNotification, object: nil, queue: nil
      ) { _ in
        MainActor.assumeIsolated { Self.time.end() }
      }
    }
  }

  extension UIApplication: BackgroundTimeGiver {
    func beginTask(
      _ expire: @escaping @MainActor @Sendable () -> Void
    ) -> UIBackgroundTaskIdentifier? {
      let task = beginBackgroundTask(withName: "holdfast.suspension", expirationHandler: expire)
      return task == .invalid ? nil : task
    }

    func endTask(_ task: UIBackgroundTaskIdentifier) {
      endBackgroundTask(task)
    }
  }
#endif
