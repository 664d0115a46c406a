#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// An error number of the system.
package struct Errno: Error, Hashable, Sendable {
  /// The number itself, as in `errno.h`.
  package var rawValue: Int32

  package init(_ rawValue: Int32) {
    self.rawValue = rawValue
  }

  package static var notFound: Errno { Errno(ENOENT) }
  package static var alreadyExists: Errno { Errno(EEXIST) }
  package static var accessDenied: Errno { Errno(EACCES) }
  package static var notPermitted: Errno { Errno(EPERM) }
  package static var noSpace: Errno { Errno(ENOSPC) }
  package static var noMemory: Errno { Errno(ENOMEM) }
  package static var quotaExceeded: Errno { Errno(EDQUOT) }
  package static var readOnlyVolume: Errno { Errno(EROFS) }
  package static var isDirectory: Errno { Errno(EISDIR) }
  package static var notDirectory: Errno { Errno(ENOTDIR) }
  package static var badDescriptor: Errno { Errno(EBADF) }
  package static var notEmpty: Errno { Errno(ENOTEMPTY) }
  package static var otherVolume: Errno { Errno(EXDEV) }
  package static var tooLarge: Errno { Errno(EFBIG) }
  package static var outOfRange: Errno { Errno(ERANGE) }
  package static var nameTooLong: Errno { Errno(ENAMETOOLONG) }
  package static var noSuchDevice: Errno { Errno(ENXIO) }
  package static var tooManyLinks: Errno { Errno(ELOOP) }
  package static var invalidArgument: Errno { Errno(EINVAL) }
  package static var illegalBytes: Errno { Errno(EILSEQ) }
  package static var inputOutput: Errno { Errno(EIO) }
  package static var interrupted: Errno { Errno(EINTR) }
  package static var wouldBlock: Errno { Errno(EWOULDBLOCK) }
  package static var notSupported: Errno { Errno(ENOTSUP) }
  package static var notImplemented: Errno { Errno(ENOSYS) }

  #if canImport(Darwin)
    package static var noAttribute: Errno { Errno(ENOATTR) }
  #else
    package static var noAttribute: Errno { Errno(ENODATA) }
  #endif
}
