import Foundation
import Holdfast
import HoldfastFiles

/// The app's widget, which the system runs in a process of its own.
struct Widget {
  let container: Container

  /// What the widget shows: the book to read next.
  func text() async throws -> String {
    guard
      let database = try DatabasePool.sharedReadOnly(
        at: Library.url(in: container), schema: Library.migrator)
    else { return "Open the app once." }
    let next = try await database.read { db in try Book.all().unread().fetchOne(db) }
    return next.map { "Next: \($0.title)" } ?? "Everything is read."
  }

  /// What the widget's button does, which is there when a book is shown.
  func markAsRead(_ title: String) async throws {
    let library = try await Library(in: container)
    try await library.database.withBackgroundLease {
      try await library.markAsRead(title)
    }
  }
}
