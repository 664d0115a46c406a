// What this package uses of UIKit, for checking types on Linux: Scripts/check-apple. As for an
// extension, there is no shared application, unless APP is set. Nothing of it is ever linked or run.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

@MainActor open class UIResponder: NSObject {}

@MainActor open class UIApplication: UIResponder {
  public enum State: Int, Sendable {
    case active, inactive, background
  }

  #if !APP
    @available(*, unavailable, message: "An extension has no application.")
  #endif
  public class var shared: UIApplication { stub() }

  nonisolated public static let didBecomeActiveNotification = Notification.Name(
    "UIApplicationDidBecomeActiveNotification")

  nonisolated public static let didEnterBackgroundNotification = Notification.Name(
    "UIApplicationDidEnterBackgroundNotification")

  open var applicationState: State { stub() }

  open func beginBackgroundTask(
    withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier { stub() }

  open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) { stub() }
}

@MainActor public protocol UIApplicationDelegate: NSObjectProtocol {
  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
  ) async -> UIBackgroundFetchResult
}

public enum UIBackgroundFetchResult: UInt, Sendable {
  case newData, noData, failed
}

@MainActor open class UIScene: UIResponder {}

@MainActor public protocol UIWindowSceneDelegate: NSObjectProtocol {
  func sceneWillEnterForeground(_ scene: UIScene)
}

public struct UIBackgroundTaskIdentifier: Hashable, RawRepresentable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

private func stub() -> Never { preconditionFailure("A stub is never run.") }
