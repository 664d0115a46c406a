public import Foundation

/// Replaces one file in one step: write aside, sync, rename, sync the directory.
///
/// *Atomic* and *durable*: after a crash at any moment the destination is the old file or the new
/// one, whole. Two processes or threads cannot replace one file at once. What a killed process left
/// beside the destination, `.<name>.staging` with its SQLite sidecars and `.<name>.lock`, goes with
/// the next replacement of the same file.
///
/// ```swift
/// try AtomicReplace(at: url).write { staging in
///   try build(databaseAt: staging)
/// } verify: { staging in
///   try check(databaseAt: staging)
/// }
/// ```
///
/// Whoever has the old file open keeps reading the old file. A symbolic link at the destination is
/// replaced, not followed. The new file gets the permissions of the old one and, where the process
/// may give it away, its owner and its group; while it is written it has those that its maker gave.
///
/// - Important: Not for a database that somebody has open: SQLite would apply the old file's
///   journals to the new one. A `-wal` or `-journal` with content in it is refused; an open
///   database without one cannot be seen. Give new content a new name instead.
/// - SeeAlso: https://sqlite.org/howtocorrupt.html, sections 1.4 and 2.4.
public struct AtomicReplace: Sendable {
  /// The file that is replaced, or created.
  public let destination: URL

  /// How long to wait while another process replaces the same file, blocking this thread.
  public var waitLimit: Duration

  /// What the new file shall have; `nil` keeps what the replaced file has.
  public var attributes: FileAttributes?

  /// Whether the name of a file that is kept next to a database is refused; true by default.
  ///
  /// SQLite keeps `app.db-wal`, `app.db-shm` and `app.db-journal` next to a database `app.db`, and
  /// this package `app.db-signal`. Replacing one of them loses committed changes, also while nobody
  /// has the database open. So a destination is refused when its name without such an ending is the
  /// name of a file that exists. Switch it off for a plain file next to another plain file only,
  /// such as `notes-journal` next to `notes`.
  ///
  /// - SeeAlso: <https://sqlite.org/tempfiles.html>
  public var refusesDatabaseCompanions = true

  /// Prepares to replace a file; nothing happens yet.
  ///
  /// - Parameters:
  ///   - destination: the file, in an existing folder.
  ///   - waitLimit: how long to wait while another process replaces the same file; not at all by
  ///     default, because what it installs may be what was wanted.
  ///   - attributes: what the new file shall have; `nil` keeps what the replaced file has.
  public init(
    at destination: URL, waitingUpTo waitLimit: Duration = .zero,
    attributes: FileAttributes? = nil
  ) {
    self.destination = destination
    self.waitLimit = waitLimit
    self.attributes = attributes
  }

  /// Lets `body` write a file aside and puts it in the destination's place.
  ///
  /// Nothing is left beside the destination after success or after an error.
  ///
  /// - Parameters:
  ///   - body: creates the file at the URL it is given; no file exists there before. It may make
  ///     SQLite sidecars of it and must close every connection before it returns.
  ///   - verify: throws if the written file is not good enough.
  /// - Returns: what `body` returns.
  /// - Throws: ``FileError``: `.busy` when the file is being replaced elsewhere past the limit;
  ///   `.companion` when the destination is a file that is kept next to a database
  ///   (``refusesDatabaseCompanions``);
  ///   `.sidecarPresent` when a `-wal` or `-journal` with content lies beside the destination, or
  ///   any sidecar with content beside the new file when `body` has returned; `.notFound` when the
  ///   folder is missing or `body` made no file; `.notRegularFile` when one of both is not a plain
  ///   file; `.unsupported` when the volume cannot keep the attributes; `.noSpace`,
  ///   `.accessDenied`, `.readOnly`, `.invalidPath`, `.inputOutput`. Whatever `body` and `verify`
  ///   throw. After each of these the destination is as it was. After `.notDurable` the new file is
  ///   in place, but a power loss may bring the old one back.
  @discardableResult
  public func write<Result>(
    _ body: (URL) throws -> Result, verify: (URL) throws -> Void = { _ in }
  ) throws -> Result {
    let steps = ReplacementSteps(
      target: try FilePath(of: destination), refusesCompanions: refusesDatabaseCompanions)
    let lock = try FileLock(steps.lockFile, guarding: steps.target, waitingUpTo: waitLimit)
    return try perform(steps, holding: lock, body, verify)
  }

  private func perform<Result>(
    _ steps: ReplacementSteps, holding lock: borrowing FileLock,
    _ body: (URL) throws -> Result, _ verify: (URL) throws -> Void
  ) throws -> Result {
    try steps.refuseUnsafeTarget()
    try steps.removeLeftovers()
    do {
      let result = try body(steps.staging.url)
      try verify(steps.staging.url)
      try steps.refuseUnfinishedStaging()
      try (attributes ?? steps.attributesOfTarget())?.set(on: steps.staging)
      try steps.syncStaging()
      // Asked again, because `body` may have taken long.
      try steps.refuseUnsafeTarget()
      try steps.switchOver()
      try steps.syncDirectory()
      return result
    } catch {
      // The first error is the one to tell; what cannot be removed now is removed the next time.
      try? steps.removeLeftovers()
      throw error
    }
  }
}
