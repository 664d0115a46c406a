public import Foundation
import HoldfastSQLite
import Synchronization

/// Suspends all databases that ask for it, before the system stops the process in the background.
///
/// A database takes part when its `Configuration.suspendsOnBackgroundTimeExpiration` is set. On
/// iOS the scheduler follows the app's life: see `resume(in:)`.
///
/// ```swift
/// func applicationWillEnterForeground(_ application: UIApplication) {
///   DatabaseBackgroundScheduler.shared.resume(in: application)
/// }
/// ```
public final class DatabaseBackgroundScheduler: Sendable {
  /// The scheduler of the process.
  public static let shared = DatabaseBackgroundScheduler()

  /// Posted before the databases are suspended.
  public static let databaseWillSuspendNotification = Notification.Name(
    "HoldfastDatabaseWillSuspend")

  /// Posted after the databases were resumed.
  public static let databaseDidResumeNotification = Notification.Name(
    "HoldfastDatabaseDidResume")

  private struct Member {
    weak var suspension: Suspension?
  }

  private let members = Mutex<[Member]>([])

  private init() {
    #if canImport(UIKit) && !os(watchOS)
      followApp()
    #endif
  }

  func add(_ suspension: Suspension) {
    members.withLock { members in
      members.removeAll { $0.suspension == nil }
      members.append(Member(suspension: suspension))
    }
  }

  private var suspensions: [Suspension] {
    members.withLock { $0.compactMap(\.suspension) }
  }

  /// Suspends the databases that take part, and posts ``databaseWillSuspendNotification`` before.
  ///
  /// The adapter of the app's life calls it; call it yourself where there is none, such as in an
  /// extension's `performExpiringActivity`. It may be called on the main thread.
  ///
  /// - Parameter limit: How long is waited at most, for all databases side by side.
  /// - Returns: A report for each database that was suspended, by its path; of several that have
  ///   one path, one that could not be freed, or else the last one.
  @discardableResult
  public func suspend(within limit: Duration = .seconds(1)) -> [String: SuspensionReport] {
    NotificationCenter.default.post(name: Self.databaseWillSuspendNotification, object: self)
    let reports = Mutex<[String: SuspensionReport]>([:])
    let done = DispatchGroup()
    // Side by side, so that a slow one leaves the others their time.
    for suspension in suspensions {
      done.enter()
      Thread.detachNewThread {
        let report = suspension.suspend(within: limit)
        reports.withLock { $0.add(report, at: suspension.path) }
        done.leave()
      }
    }
    done.wait()
    return reports.withLock { $0 }
  }

  /// Resumes the databases that take part, and posts ``databaseDidResumeNotification`` after.
  ///
  /// Call it before the app uses them in the foreground, or in a background mode of the system.
  public func resume() {
    for suspension in suspensions { suspension.resume() }
    NotificationCenter.default.post(name: Self.databaseDidResumeNotification, object: self)
  }
}

extension [String: SuspensionReport] {
  /// Adds a report, unless one at an equal path says that its database could not be freed.
  ///
  /// Paths that are equal as `String` may name several files.
  mutating func add(_ report: SuspensionReport, at path: String) {
    if self[path]?.isFree != false { self[path] = report }
  }
}
