public import Holdfast
import HoldfastFiles
import Synchronization

/// A database or an archive of tiles of a pack, as it is in the current generation; see
/// ``PackStore/source(_:of:orInPlace:)``.
public final class PackDatabaseSource: DatabaseSource {
  private struct Held {
    var stamp: FileStamp
    weak var lease: GenerationLease?
  }

  private let store: PackStore
  private let pack: PackName
  private let file: String
  private let inPlace: InPlaceDatabaseSource?

  // Locked while a lease is recorded, so that there is one per generation.
  private let held = Mutex<Held?>(nil)

  init(_ store: PackStore, _ pack: PackName, _ file: String, _ inPlace: InPlaceDatabaseSource?) {
    self.store = store
    self.pack = pack
    self.file = file
    self.inPlace = inPlace
  }

  /// Returns the database of the current generation, or the one in place, on the caller's thread.
  ///
  /// One in place is read as a whole for the first time; see ``PackSource/database(_:)``.
  ///
  /// - Throws: ``PackError`` with `.notFound` when the pack is not installed or has no such file,
  ///   `.unsuitable` when the file is no database or is a seed, `.damaged`, `.newerFormat`;
  ///   `FileError`.
  @available(
    *, noasync,
    message:
      "Write `try await currentDatabase()`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func currentDatabase() throws -> SourcedDatabase {
    let folder = try store.folder(of: pack)
    // Before `current` is read: a switch in between is found by the next call.
    let stamp = FileStamp(folder.current)
    let lease: GenerationLease? = try held.withLock { held in
      held?.lease?.recordAgain()
      if let held, let lease = held.lease, let stamp, held.stamp == stamp, stamp.isSettled() {
        return lease
      }
      if let present = held?.lease,
        try store.currentFile(of: folder)?.generation == present.generation.name
      {
        if let stamp { held?.stamp = stamp }
        return present
      }
      let lease = try store.hold(pack)
      held = lease.flatMap { lease in stamp.map { Held(stamp: $0, lease: lease) } }
      return lease
    }
    if let lease { return try lease.database(file, orArchive: true) }
    guard let inPlace else { throw PackError.notInstalled(pack) }
    return try inPlace.currentDatabase()
  }

  /// Returns a sequence with an element for each switch of the pack.
  public func switches() -> AsyncStream<Void> {
    do throws(FileError) {
      let current = ReplacementWatch.switches(of: try store.folder(of: pack).current)
      guard let inPlace else { return current }
      return AsyncStream.merging(current, inPlace.switches())
    } catch _ {
      // Without a folder nothing is switched; `currentDatabase()` says why there is none.
      return AsyncStream { $0.finish() }
    }
  }
}

extension AsyncStream<Void> {
  /// Returns a stream with the elements of two streams, where those that were not taken are merged.
  static func merging(_ one: AsyncStream<Void>, _ other: AsyncStream<Void>) -> AsyncStream<Void> {
    let (merged, continuation) = makeStream(bufferingPolicy: .bufferingNewest(1))
    let tasks = [one, other].map { stream in
      Task {
        for await _ in stream { continuation.yield() }
      }
    }
    continuation.onTermination = { _ in
      for task in tasks { task.cancel() }
    }
    return merged
  }
}
