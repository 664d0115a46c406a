import Foundation
import HoldfastFiles
import Synchronization

/// A watch of one folder on a thread of its own, which ends with this object.
final class FolderWatch: Sendable {
  /// The folder.
  let folder: FilePath

  /// The file whose changes matter.
  let file: FilePath

  private let events: DirectoryEvents
  private let hasEnded: Ended

  private final class Ended: Sendable {
    let value = Atomic(false)
  }

  /// Whether the folder was removed or moved, so that it is no longer watched.
  var isOver: Bool { hasEnded.value.load(ordering: .acquiring) }

  /// Starts watching; the result is `nil` when the system cannot watch the folder.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - file: The file whose changes matter, in it or below it.
  ///   - onChange: Called on another thread when the file may have changed.
  init?(_ folder: FilePath, for file: FilePath, onChange: @escaping @Sendable () -> Void) {
    let events: DirectoryEvents
    do throws(Errno) {
      events = try DirectoryEvents()
      try events.begin(at: folder.text, log: file.text)
    } catch {
      // Without a watch, the next refresh finds the change.
      return nil
    }
    self.folder = folder
    self.file = file
    // In a folder above the file's own, any change may lead to it.
    let name = file.directory == folder ? file.name : nil
    self.events = events
    let hasEnded = Ended()
    self.hasEnded = hasEnded
    Thread.detachNewThread {
      while true {
        switch events.wait(.seconds(3600), for: .everything) {
        case .quiet: continue
        case .woken: return
        case .files(let names, let touched):
          guard let name, !names.contains(name), !touched.contains(name) else {
            onChange()
            continue
          }
        case .anything: onChange()
        case .lost:
          hasEnded.value.store(true, ordering: .releasing)
          onChange()
          return
        }
      }
    }
  }

  deinit {
    events.wake()
  }

  /// Returns the nearest folder of a file that exists.
  static func nearestFolder(of file: FilePath) -> FilePath {
    var folder = file.directory
    while folder.text != "/" {
      do throws(Errno) {
        if try SystemCalls.status(of: folder.text).kind == .directory { return folder }
      } catch {
        // It does not exist, or cannot be watched either.
      }
      folder = folder.directory
    }
    return folder
  }
}
