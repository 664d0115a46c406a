public import Foundation
import Holdfast
import HoldfastFiles
public import Observation

/// The file of a record that is shown or played, such as the cover of the current track, wherever it
/// is.
///
/// Its value changes when the record, the file or the container does, and is `nil` when the file is
/// proven to be absent:
///
/// ```swift
/// let cover = LiveReference(covers, "item-123")
/// await cover.refreshed()                    // before the player is restored
/// if let url = cover.url { show(url) }       // observed, as a value of `Observation`
/// for await file in cover.values { … }       // or as a sequence
/// await cover.appMovedToForeground(after: .seconds(120)) { url in updateNowPlaying(url) }
/// ```
///
/// The record is observed in the database, and the folder of the file on the volume. A container
/// moves only while the app does not run, or is restored; ``refresh(updating:)`` finds its new place.
@MainActor
public final class LiveReference: Observable {
  /// A closure that shows a new URL, for example as now-playing metadata.
  public typealias Update = @MainActor (URL?) async throws -> Void

  private let registrar = ObservationRegistrar()
  private let ledger: FileLedger
  private let broadcast = Broadcast<ReferencedFile?>()
  private var current: ReferencedFile?
  private var currentID: RecordID?
  private var cancellable: AnyDatabaseCancellable?
  private var watch: FolderWatch?

  /// The file that the app shows: the record's first one, or the one of the last successful update;
  /// `nil` before.
  private var shown: ReferencedFile??

  /// The last resolution; each one begins after the one before.
  private var latest: Task<Void, Never>?

  /// Whether the last resolution has not begun to read, so that it will see every change until now.
  private var isWaiting = false

  /// Creates a reference and starts to observe the record.
  ///
  /// - Parameters:
  ///   - ledger: The ledger of the record.
  ///   - id: The record; `nil` for none yet.
  public init(_ ledger: FileLedger, _ id: RecordID? = nil) {
    self.ledger = ledger
    currentID = id
    observe()
  }

  /// The file; `nil` before the first resolution, without a record, and when the file is proven to
  /// be absent.
  public private(set) var file: ReferencedFile? {
    get {
      registrar.access(self, keyPath: \.file)
      return current
    }
    set {
      // A resolution that found the same must not notify observers.
      guard newValue != current else { return }
      registrar.withMutation(of: self, keyPath: \.file) { current = newValue }
    }
  }

  /// The URL of ``file``.
  public var url: URL? { file?.url }

  /// The error of the last reading of the record; `nil` when it succeeded.
  ///
  /// The value stays as it was meanwhile.
  public private(set) var error: (any Error)?

  /// The record; `nil` for none.
  ///
  /// A change is followed by a resolution; ``refreshed()`` waits for it.
  public var id: RecordID? {
    get { currentID }
    set {
      guard newValue != currentID else { return }
      currentID = newValue
      shown = nil
      observe()
      resolve()
    }
  }

  /// The files from now on, beginning with the present one once it is resolved.
  ///
  /// Several sequences may be read; a slow reader gets the latest value.
  nonisolated public var values: AsyncStream<ReferencedFile?> { broadcast.values() }

  // MARK: - Refreshing

  /// Waits for the resolutions that have begun, and returns the URL.
  ///
  /// Await it before the player is restored, so that it never gets a path of an older container.
  ///
  /// - Returns: The URL; `nil` as for ``file``.
  @discardableResult
  public func refreshed() async -> URL? {
    if latest == nil { resolve() }
    await latest?.value
    return current?.url
  }

  /// Finds the file again, and updates what shows it when it has changed.
  ///
  /// Errors are not thrown: a refresh must not keep an app from its foreground. They are in
  /// ``error``, and in the log.
  ///
  /// - Parameter update: Shows the new URL; called when it has changed.
  /// - Returns: Whether the file has changed.
  @discardableResult
  public func refresh(updating update: Update = { _ in }) async -> Bool {
    ReferenceLog.report(ReferenceLog.refreshing)
    guard let id = currentID else { return false }
    if shown == nil { await refreshed() }
    resolve()
    await refreshed()
    guard currentID == id, let old = shown else { return false }
    guard current != old else {
      ReferenceLog.report(ReferenceLog.unchanged)
      return false
    }
    let new = current
    ReferenceLog.report(ReferenceLog.changed(id))
    ReferenceLog.report(ReferenceLog.old(old?.url))
    ReferenceLog.report(ReferenceLog.new(new?.url))
    do {
      try await update(new?.url)
      if currentID == id { shown = .some(new) }
      ReferenceLog.report(ReferenceLog.refreshed)
    } catch {
      self.error = error
      Log.report(
        .error, .ledger, "The new cover of \(id) was not shown: \(Log.kind(of: error))")
    }
    return true
  }

  /// Refreshes when the app has come to the foreground.
  ///
  /// - Parameters:
  ///   - duration: How long it was in the background.
  ///   - update: Shows the new URL; called when it has changed.
  /// - Returns: Whether the file has changed.
  @discardableResult
  public func appMovedToForeground(
    after duration: Duration, updating update: Update = { _ in }
  ) async -> Bool {
    ReferenceLog.report(ReferenceLog.foreground(after: duration))
    return await refresh(updating: update)
  }

  // MARK: - Resolution

  private func observe() {
    cancellable = nil
    guard let id = currentID else { return }
    let ledger = ledger
    let observation = ValueObservation.tracking { db in try ledger.record(db, id) }
    cancellable = observation.start(in: ledger.writer, scheduling: .mainActor) {
      [weak self] error in
      // The next refresh observes again.
      self?.error = error
      self?.cancellable = nil
    } onChange: { [weak self] _ in
      self?.resolve()
    }
  }

  private func resolve() {
    if isWaiting { return }
    isWaiting = true
    if cancellable == nil { observe() }
    let (before, ledger) = (latest, ledger)
    latest = Task { [weak self] in
      await before?.value
      self?.isWaiting = false
      let id = self?.currentID
      do {
        var record: LedgerRecord?
        if let id { record = try await ledger.record(id) }
        let found = record
        let resolution = try await BlockingWork.userInitiated.run {
          Resolution(found, in: ledger.container)
        }
        self?.apply(resolution, of: id)
      } catch {
        self?.error = error
      }
    }
  }

  private func apply(_ resolution: Resolution, of id: RecordID?) {
    // Another record was chosen meanwhile, and its resolution follows.
    guard id == currentID else { return }
    error = nil
    let isFirst = shown == nil
    if isFirst { shown = .some(resolution.file) }
    if isFirst || resolution.file != current { broadcast.send(resolution.file) }
    file = resolution.file
    follow(resolution.place)
  }

  /// Watches the folder of a file; while it does not exist, the nearest one above it.
  private func follow(_ place: FilePath?) {
    guard let place else {
      watch = nil
      return
    }
    let folder = FolderWatch.nearestFolder(of: place)
    if let watch, !watch.isOver, watch.folder == folder, watch.file == place { return }
    watch = FolderWatch(folder, for: place) { [weak self] in
      Task { @MainActor in self?.resolve() }
    }
    // The file may have changed before the watch began.
    if watch != nil { resolve() }
  }
}
