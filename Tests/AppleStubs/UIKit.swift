// Declarations of UIKit that this package uses, for type checking on Linux with
// Scripts/check-apple. As in an extension, there is no shared application. They are never linked or
// run.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

@MainActor open class UIResponder: NSObject {}

@MainActor open class UIApplication: UIResponder {
  public enum State: Int, Sendable {
    case active, inactive, background
  }

  @available(*, unavailable, message: "An extension has no application.")
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

@MainActor public protocol UIApplicationDelegate: NSObjectProtocol {}

public struct UIBackgroundTaskIdentifier: Hashable, RawRepresentable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

private func stub() -> Never { preconditionFailure("A stub is never run.") }
