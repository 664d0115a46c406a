package import Foundation

/// A stamp by which two states of a path are told apart without reading the file.
package struct FileStamp: Hashable, Sendable {
  private let status: FileStatus

  /// Examines a path; `nil` when nothing is there, or it cannot be examined.
  package init?(_ path: FilePath) {
    do throws(Errno) {
      status = try SystemCalls.status(of: path.text)
    } catch _ {
      // Such a file has no stamp, and equals no other.
      return nil
    }
  }

  /// The length in bytes.
  package var byteCount: Int64 { status.byteCount }

  /// A text that differs for two files at one path.
  package var text: String {
    "\(status.device)-\(status.inode)-\(status.byteCount)-\(status.changed)"
  }

  package static func == (left: FileStamp, right: FileStamp) -> Bool {
    left.status.isSameFile(as: right.status) && left.status.byteCount == right.status.byteCount
      && left.status.modified == right.status.modified
      && left.status.changed == right.status.changed
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(status.device)
    hasher.combine(status.inode)
  }

  /// Whether a replacement after this stamp was taken must have changed it.
  ///
  /// A new file can have the number of one that was just removed, and within a tick of the kernel's
  /// clock its times too.
  package func isSettled(at now: Date = Date()) -> Bool {
    let time = Int64(now.timeIntervalSince1970 * 1_000_000_000)
    return (time - status.changed).magnitude > 100_000_000
  }
}
