public import Foundation
import HoldfastSQLite
import Synchronization

/// A scheduler that suspends databases before the system stops the process in the background.
///
/// A database participates when its `Configuration.suspendsOnBackgroundTimeExpiration` is set. On
/// iOS the scheduler follows the app's life cycle: see `resume(in:)`.
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

  /// Suspends the participating databases, after posting ``databaseWillSuspendNotification``.
  ///
  /// The scheduler calls it as part of the app's life cycle; call it yourself where there is none,
  /// as in an extension's `performExpiringActivity`. It may be called on the main thread.
  ///
  /// - Parameter limit: The maximum wait, for all databases concurrently.
  /// - Returns: A report for each suspended database, keyed by its path; of several databases with
  ///   one path, a report of one that could not be freed, or else the last report.
  @discardableResult
  public func suspend(within limit: Duration = .seconds(1)) -> [String: SuspensionReport] {
    NotificationCenter.default.post(name: Self.databaseWillSuspendNotification, object: self)
    let reports = Mutex<[String: SuspensionReport]>([:])
    let done = DispatchGroup()
    // Concurrently, so that a slow one does not use up the time of the others.
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

  /// Resumes the participating databases, and then posts ``databaseDidResumeNotification``.
  ///
  /// Call it before the app uses them in the foreground, or in a background mode of the system.
  public func resume() {
    for suspension in suspensions { suspension.resume() }
    NotificationCenter.default.post(name: Self.databaseDidResumeNotification, object: self)
  }
}

extension [String: SuspensionReport] {
  /// Adds a report, unless an existing one for an equal path is of a database that was not freed.
  ///
  /// Paths that are equal as `String` may name several files.
  mutating func add(_ report: SuspensionReport, at path: String) {
    if self[path]?.isFree != false { self[path] = report }
  }
}
