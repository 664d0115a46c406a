#if canImport(Darwin)
  import Foundation

  /// The signal over Darwin notifications, which reach every process of the device.
  enum DarwinSignal {
    /// Tells whoever observes the database that something was committed.
    static func post(database path: String) {
      CFNotificationCenterPostNotification(
        CFNotificationCenterGetDarwinNotifyCenter(), name(path), nil, nil, true)
    }

    /// The last two names of the path: containers have different paths in different processes.
    static func name(_ path: String) -> CFNotificationName {
      let names = path.split(separator: "/").suffix(2).joined(separator: "/")
      return CFNotificationName("holdfast.committed.\(names)" as CFString)
    }
  }
#endif
