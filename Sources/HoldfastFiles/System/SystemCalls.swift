#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import CLinux
  import Glibc
#endif

/// The calls of the C library: one small function per call, retried after interruptions.
///
/// No function has the name of the call that it makes, because it would shadow it. Paths are passed
/// byte for byte. A path that contains a NUL is refused with `EINVAL`, not truncated.
package enum SystemCalls {
  /// The names of the calls that may fail.
  package enum Name: String, Sendable {
    case open, close, read, write, fsync, rename, unlink, mkdir, stat, lstat, fstat, flock
    case fchown, fchmod, fcntl, realpath, getxattr, setxattr, removexattr, utimensat
    case getcwd, mknod, readlink, symlink
  }

  /// The kind of access that a file is opened for.
  package enum Access: Sendable {
    case read
    /// Creates the file; it must not exist.
    case createNew
    /// Opens the file, creating it empty if it does not exist; a symbolic link is not followed.
    case openOrCreate
  }

  /// The failure that a test injects.
  @TaskLocal package static var fault: SystemFault?

  package static func openFile(_ path: String, for access: Access) throws(Errno) -> OpenFile {
    let flags =
      switch access {
      case .read: O_RDONLY
      case .createNew: O_WRONLY | O_CREAT | O_EXCL
      case .openOrCreate: O_RDWR | O_CREAT | O_NOFOLLOW
      }
    // Without O_CLOEXEC a child process would inherit the descriptor and with it the lock.
    let descriptor = try unsafe call(.open, path) { path in
      unsafe Int(open(path, flags | O_CLOEXEC, 0o644))
    }
    return OpenFile(descriptor: Int32(descriptor))
  }

  /// Closes a descriptor, once: after a failing `close` it is unspecified whether it is still open,
  /// and it may already be another thread's.
  static func closeFile(_ descriptor: Int32) throws(Errno) {
    let planted = fault?.strike(.close)
    let refused = close(descriptor) == 0 ? nil : Errno(errno)
    if let code = planted ?? refused, code != .interrupted { throw code }
  }

  /// Reads at most as many bytes as `buffer` holds, and returns their number; 0 at the end of file.
  package static func readBytes(
    _ file: borrowing OpenFile, into buffer: inout [UInt8]
  ) throws(Errno) -> Int {
    let descriptor = file.descriptor
    return try call(.read) {
      unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe read(descriptor, bytes.baseAddress, bytes.count)
      }
    }
  }

  /// Reads at most `count` bytes, starting at an offset; fewer at the end of the file.
  package static func readBytes(
    _ file: borrowing OpenFile, at place: Int, count: Int
  ) throws(Errno) -> [UInt8] {
    let descriptor = file.descriptor
    var buffer = [UInt8](repeating: 0, count: count)
    let found = try call(.read) {
      unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe pread(descriptor, bytes.baseAddress, bytes.count, off_t(place))
      }
    }
    return Array(buffer.prefix(found))
  }

  /// Writes all of the first `count` bytes of `buffer`.
  package static func writeBytes(
    _ file: borrowing OpenFile, _ buffer: [UInt8], count: Int
  ) throws(Errno) {
    let descriptor = file.descriptor
    var written = 0
    while written < count {
      let rest = written..<count
      written += try call(.write) {
        unsafe buffer[rest].withUnsafeBytes { bytes in
          unsafe write(descriptor, bytes.baseAddress, bytes.count)
        }
      }
    }
  }

  /// Makes what was written to the file, or to a directory's list of names, durable.
  package static func sync(_ file: borrowing OpenFile) throws(Errno) {
    let descriptor = file.descriptor
    _ = try call(.fsync) {
      #if canImport(Darwin)
        // fsync(2) leaves the data in the drive's buffers; it is used only where the volume cannot
        // flush them.
        let full = Int(fcntl(descriptor, F_FULLFSYNC))
        return full == 0 ? full : Int(fsync(descriptor))
      #else
        return Int(fsync(descriptor))
      #endif
    }
  }

  package static func move(_ path: String, to newPath: String) throws(Errno) {
    guard !newPath.utf8.contains(0) else { throw .invalidArgument }
    _ = try unsafe call(.rename, path) { path in
      unsafe newPath.withCString { newPath in unsafe Int(rename(path, newPath)) }
    }
  }

  package static func remove(_ path: String) throws(Errno) {
    _ = try unsafe call(.unlink, path) { unsafe Int(unlink($0)) }
  }

  package static func makeDirectory(_ path: String) throws(Errno) {
    _ = try unsafe call(.mkdir, path) { unsafe Int(mkdir($0, 0o755)) }
  }

  /// Returns the status of the file at `path`, following symbolic links.
  package static func status(of path: String) throws(Errno) -> FileStatus {
    var status = stat()
    _ = try unsafe call(.stat, path) { unsafe Int(stat($0, &status)) }
    return FileStatus(status)
  }

  /// Returns the status of the file at `path` itself, which may be a symbolic link.
  package static func linkStatus(of path: String) throws(Errno) -> FileStatus {
    var status = stat()
    _ = try unsafe call(.lstat, path) { unsafe Int(lstat($0, &status)) }
    return FileStatus(status)
  }

  package static func status(of file: borrowing OpenFile) throws(Errno) -> FileStatus {
    let descriptor = file.descriptor
    var status = stat()
    _ = try call(.fstat) { unsafe Int(fstat(descriptor, &status)) }
    return FileStatus(status)
  }

  /// Sets the file's owner and group.
  package static func changeOwner(
    of file: borrowing OpenFile, to owner: UInt32, group: UInt32
  ) throws(Errno) {
    let descriptor = file.descriptor
    _ = try call(.fchown) { Int(fchown(descriptor, owner, group)) }
  }

  /// Sets the file's permissions.
  package static func changePermissions(
    of file: borrowing OpenFile, to permissions: UInt32
  ) throws(Errno) {
    let descriptor = file.descriptor
    _ = try call(.fchmod) { Int(fchmod(descriptor, mode_t(permissions))) }
  }

  /// Sets both times of a file to now, without opening or creating it, and without following a
  /// symbolic link.
  package static func touch(_ path: String) throws(Errno) {
    _ = try unsafe call(.utimensat, path) {
      unsafe Int(utimensat(AT_FDCWD, $0, nil, AT_SYMLINK_NOFOLLOW))
    }
  }

  #if os(Linux)
    /// Creates an empty file without opening it; nothing may exist at the path.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - mode: The permissions, reduced by the process's mask, and special bits.
    /// - Throws: `Errno`; `alreadyExists` when something exists at the path.
    package static func makeEmptyFile(_ path: String, mode: UInt32) throws(Errno) {
      _ = try unsafe call(.mknod, path) { unsafe Int(mknod($0, S_IFREG | mode_t(mode), 0)) }
    }
  #endif

  /// The absolute path of the process's current folder.
  package static func currentDirectory() throws(Errno) -> String {
    var directory: String?
    _ = try call(.getcwd) {
      guard let bytes = unsafe getcwd(nil, 0) else { return -1 }
      directory = unsafe String(validatingCString: bytes)
      unsafe free(bytes)
      return 0
    }
    guard let directory else { throw .illegalBytes }
    // Linux returns a text without a leading slash for a folder outside of the process's root.
    guard directory.utf8.first == UInt8(ascii: "/") else { throw .notFound }
    return directory
  }

  /// Takes an exclusive lock; throws `wouldBlock` when another descriptor holds one.
  package static func lock(_ file: borrowing OpenFile) throws(Errno) {
    let descriptor = file.descriptor
    _ = try call(.flock) { Int(flock(descriptor, LOCK_EX | LOCK_NB)) }
  }

  /// Releases a lock for every copy of the descriptor.
  package static func unlock(_ file: borrowing OpenFile) throws(Errno) {
    let descriptor = file.descriptor
    _ = try call(.flock) { Int(flock(descriptor, LOCK_UN)) }
  }

  /// Returns the path of an existing file with every symbolic link resolved.
  package static func realPath(_ path: String) throws(Errno) -> String {
    var resolved: String?
    _ = try unsafe call(.realpath, path) { path in
      guard let bytes = unsafe realpath(path, nil) else { return -1 }
      resolved = unsafe String(validatingCString: bytes)
      unsafe free(bytes)
      return 0
    }
    guard let resolved else { throw .illegalBytes }
    return resolved
  }

  /// Creates a symbolic link, which may have any text; nothing may exist at the path.
  package static func makeLink(_ path: String, to text: String) throws(Errno) {
    guard !text.utf8.contains(0) else { throw .invalidArgument }
    _ = try unsafe call(.symlink, path) { path in
      unsafe text.withCString { text in unsafe Int(symlink(text, path)) }
    }
  }

  /// Returns the text of a symbolic link; throws `invalidArgument` when the file is not a link.
  package static func linkText(of path: String) throws(Errno) -> String {
    // One byte more than the longest path, so that truncation is noticed.
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = try unsafe call(.readlink, path) { path in
      unsafe bytes.withUnsafeMutableBytes { bytes in
        unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
          unsafe readlink(path, bytes.baseAddress!, bytes.count)
        }
      }
    }
    guard count <= Int(PATH_MAX) else { throw .nameTooLong }
    guard let text = String(validating: bytes.prefix(count), as: UTF8.self) else {
      throw .illegalBytes
    }
    return text
  }

  /// Returns the bytes of an extended attribute; at most 256 are read.
  package static func attribute(_ name: String, of path: String) throws(Errno) -> [UInt8] {
    var value = [UInt8](repeating: 0, count: 256)
    let count = try unsafe call(.getxattr, path) { path in
      unsafe value.withUnsafeMutableBytes { value in
        #if canImport(Darwin)
          unsafe getxattr(path, name, value.baseAddress, value.count, 0, 0)
        #else
          unsafe getxattr(path, name, value.baseAddress, value.count)
        #endif
      }
    }
    return Array(value.prefix(count))
  }

  package static func setAttribute(
    _ name: String, to value: [UInt8], of path: String
  ) throws(Errno) {
    _ = try unsafe call(.setxattr, path) { path in
      #if canImport(Darwin)
        unsafe Int(setxattr(path, name, value, value.count, 0, 0))
      #else
        unsafe Int(setxattr(path, name, value, value.count, 0))
      #endif
    }
  }

  package static func removeAttribute(_ name: String, of path: String) throws(Errno) {
    _ = try unsafe call(.removexattr, path) { path in
      #if canImport(Darwin)
        unsafe Int(removexattr(path, name, 0))
      #else
        unsafe Int(removexattr(path, name))
      #endif
    }
  }

  /// Returns the system's description of an error number.
  package static func description(of errno: Errno) -> String {
    unsafe String(cString: strerror(errno.rawValue))
  }

  package static func sleep(milliseconds: UInt32) {
    usleep(milliseconds * 1000)
  }

  /// Ends the process as a crash would: no destructor runs, no buffer is flushed.
  package static func exitImmediately(status: Int32) -> Never {
    _exit(status)
  }

  private static func call(
    _ name: Name, _ path: String, _ body: (UnsafePointer<CChar>) -> Int
  ) throws(Errno) -> Int {
    // C would stop reading at the NUL and operate on another file.
    guard !path.utf8.contains(0) else { throw .invalidArgument }
    return try call(name) { unsafe path.withCString { path in unsafe body(path) } }
  }

  static func call(_ name: Name, _ body: () -> Int) throws(Errno) -> Int {
    while true {
      if let planted = fault?.strike(name) {
        if planted == .interrupted { continue }
        throw planted
      }
      let result = body()
      if result >= 0 { return result }
      let code = Errno(errno)
      if code != .interrupted { throw code }
    }
  }
}
