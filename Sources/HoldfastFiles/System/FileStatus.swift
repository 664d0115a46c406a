#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import CLinux
  import Glibc
#endif

/// The status of a file, obtained without opening it.
package struct FileStatus: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case regular, directory, symbolicLink, other
  }

  package var kind: Kind
  /// The length in bytes.
  package var byteCount: Int64
  package var device: UInt64
  package var inode: UInt64
  /// The permissions to read, write and execute: the nine bits of `chmod`.
  package var permissions: UInt32
  /// Whether the sticky bit is set, which has no meaning for a file.
  package var isSticky: Bool
  /// The number of hard links.
  package var linkCount: Int
  package var owner: UInt32
  package var group: UInt32
  /// The time of the content's last change, in nanoseconds since 1970.
  package var modified: Int64
  /// The time of the last change of the content or of the status, in nanoseconds since 1970.
  package var changed: Int64

  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .regular
    case S_IFDIR: kind = .directory
    case S_IFLNK: kind = .symbolicLink
    default: kind = .other
    }
    byteCount = Int64(status.st_size)
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    permissions = UInt32(status.st_mode) & 0o777
    isSticky = UInt32(status.st_mode) & 0o1000 != 0
    linkCount = Int(status.st_nlink)
    owner = status.st_uid
    group = status.st_gid
    #if canImport(Darwin)
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modified, changed) = (status.st_mtim, status.st_ctim)
    #endif
    self.modified = Self.nanoseconds(Int64(modified.tv_sec), Int64(modified.tv_nsec))
    self.changed = Self.nanoseconds(Int64(changed.tv_sec), Int64(changed.tv_nsec))
  }

  /// Anyone can give a file a time in the year 2446; such a time is the last one that fits, and one
  /// before 1824 the first whose distance to the present does.
  private static func nanoseconds(_ seconds: Int64, _ nanoseconds: Int64) -> Int64 {
    min(max(seconds, -4_600_000_000), 9_200_000_000) * 1_000_000_000 + nanoseconds
  }

  /// The identity of a file among all that exist at the same time.
  package struct Identity: Hashable, Sendable {
    package var device: UInt64
    package var inode: UInt64
  }

  package var identity: Identity { Identity(device: device, inode: inode) }

  /// Returns whether both describe the same file, under any name.
  package func isSameFile(as other: FileStatus) -> Bool { identity == other.identity }
}
