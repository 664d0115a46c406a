package import Foundation

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
    case readdir, rmdir, statvfs, ftruncate, futimens, link, listxattr, renameat2
    case listDescriptors, kill, clone, lseek
  }

  /// The kind of access that a file is opened for.
  package enum Access: Sendable {
    case read
    /// Creates the file; it must not exist.
    case createNew
    /// Opens the file, creating it empty if it does not exist; a symbolic link is not followed.
    case openOrCreate
    /// Opens an existing file for reading and writing; a symbolic link is not followed.
    case update
    /// Reads, without following a symbolic link and without waiting for a pipe's writer.
    case readPlain
  }

  /// The failure that a test injects.
  @TaskLocal package static var fault: SystemFault?

  package static func openFile(_ path: String, for access: Access) throws(Errno) -> OpenFile {
    let flags =
      switch access {
      case .read: O_RDONLY
      case .createNew: O_WRONLY | O_CREAT | O_EXCL
      case .openOrCreate: O_RDWR | O_CREAT | O_NOFOLLOW
      case .update: O_RDWR | O_NOFOLLOW
      case .readPlain: O_RDONLY | O_NOFOLLOW | O_NONBLOCK
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
    try readBytes(file.descriptor, into: &buffer)
  }

  static func readBytes(
    _ descriptor: Int32, into buffer: inout [UInt8]
  ) throws(Errno) -> Int {
    try call(.read) {
      unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe read(descriptor, bytes.baseAddress, bytes.count)
      }
    }
  }

  /// Reads at most `count` bytes, starting at an offset; fewer at the end of the file.
  package static func readBytes(
    _ file: borrowing OpenFile, at offset: Int, count: Int
  ) throws(Errno) -> [UInt8] {
    let descriptor = file.descriptor
    var failure: Errno?
    // Neither filled with zeros nor copied, because each tile of a map is read so.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, found in
      let start = buffer.baseAddress
      do throws(Errno) {
        found = try call(.read) { unsafe pread(descriptor, start, count, off_t(offset)) }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Reads as ``readBytes(_:at:count:)``, into the memory of the result.
  package static func readData(
    _ file: borrowing OpenFile, at offset: Int, count: Int
  ) throws(Errno) -> Data {
    let descriptor = file.descriptor
    guard count > 0 else { return Data() }
    guard let start = unsafe malloc(count) else { throw .noMemory }
    do throws(Errno) {
      let found = try call(.read) { unsafe pread(descriptor, start, count, off_t(offset)) }
      return unsafe Data(bytesNoCopy: start, count: found, deallocator: .free)
    } catch {
      unsafe free(start)
      throw error
    }
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

  /// Writes all bytes, starting at an offset; a gap after the end of the file reads as zeros.
  package static func writeBytes(
    _ file: borrowing OpenFile, _ bytes: Span<UInt8>, at offset: Int64
  ) throws(Errno) {
    let descriptor = file.descriptor
    var written = 0
    while written < bytes.count {
      let rest = bytes.extracting(written..<bytes.count)
      let next = off_t(offset) + off_t(written)
      written += try call(.write) {
        unsafe rest.withUnsafeBytes { bytes in
          unsafe pwrite(descriptor, bytes.baseAddress, bytes.count, next)
        }
      }
    }
  }

  /// Sets the length of the file, in bytes; a longer one ends with zeros.
  package static func truncate(_ file: borrowing OpenFile, to byteCount: Int64) throws(Errno) {
    let descriptor = file.descriptor
    _ = try call(.ftruncate) { Int(ftruncate(descriptor, off_t(byteCount))) }
  }

  /// Moves to the next bytes of a plain file that are stored: where it is sparse, past what only reads
  /// as zeros.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - offset: Where to begin.
  /// - Returns: The place from which ``readBytes(_:into:)`` reads next; `nil` when nothing follows.
  /// - Throws: `Errno`.
  package static func seekData(
    _ file: borrowing OpenFile, from offset: Int64
  ) throws(Errno) -> Int64? {
    let descriptor = file.descriptor
    #if canImport(Darwin)
      let toData = SEEK_DATA
    #else
      let toData = LINUX_SEEK_DATA
    #endif
    do throws(Errno) {
      return Int64(try call(.lseek) { Int(lseek(descriptor, off_t(offset), toData)) })
    } catch .noSuchDevice {
      return nil
    } catch {
      // The volume does not tell, in one way or another: everything is stored.
      return Int64(try call(.lseek) { Int(lseek(descriptor, off_t(offset), SEEK_SET)) })
    }
  }

  /// Copies the content of a plain file to a file that does not exist yet, and is as sparse.
  ///
  /// - Parameters:
  ///   - source: The file; a symbolic link is not followed.
  ///   - target: The path of the copy.
  ///   - isStopped: Asked after each chunk of 256 KiB.
  ///   - visit: Receives each chunk and its place in the file; holes are in none.
  /// - Throws: `Errno`; `interrupted` when it was stopped. What was copied stays.
  package static func copyBytes(
    of source: String, to target: String, until isStopped: () -> Bool = { false },
    visiting visit: (Span<UInt8>, _ start: Int64) -> Void = { _, _ in }
  ) throws(Errno) {
    let input = try openFile(source, for: .readPlain)
    let output = try openFile(target, for: .createNew)
    var buffer = [UInt8](repeating: 0, count: 256 * 1024)
    var end: Int64 = 0
    while let start = try seekData(input, from: end) {
      let count = try readBytes(input, into: &buffer)
      if count == 0 { break }
      let bytes = buffer.span.extracting(0..<count)
      try writeBytes(output, bytes, at: start)
      visit(bytes, start)
      end = start + Int64(count)
      if isStopped() { throw .interrupted }
    }
    // A hole at the end.
    let byteCount = try status(of: input).byteCount
    if end < byteCount { try truncate(output, to: byteCount) }
    try output.close()
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

  /// Asks the system to begin writing a part of a file to the volume, so that ``sync(_:)`` has less to wait for.
  ///
  /// It waits for nothing and promises nothing: an error is that of ``sync(_:)``. Apple's systems have no such call.
  package static func beginSync(_ file: borrowing OpenFile, from offset: Int64, byteCount: Int) {
    #if os(Linux)
      _ = sync_file_range(
        file.descriptor, offset, Int64(byteCount), LINUX_SYNC_FILE_RANGE_WRITE)
    #endif
  }

  /// Makes the names in a folder durable.
  package static func syncDirectory(_ path: String) throws(Errno) {
    try sync(openFile(path, for: .read))
  }

  package static func remove(_ path: String) throws(Errno) {
    _ = try unsafe call(.unlink, path) { unsafe Int(unlink($0)) }
  }

  /// Removes a file, if it exists.
  package static func removeIfPresent(_ path: String) throws(Errno) {
    do throws(Errno) {
      try remove(path)
    } catch .notFound {
      // It was never there, or was removed meanwhile.
    }
  }

  /// Removes an empty folder; throws `notEmpty` when something is in it.
  package static func removeDirectory(_ path: String) throws(Errno) {
    _ = try unsafe call(.rmdir, path) { unsafe Int(rmdir($0)) }
  }

  package static func makeDirectory(
    _ path: String, permissions: UInt32 = 0o755
  ) throws(Errno) {
    _ = try unsafe call(.mkdir, path) { unsafe Int(mkdir($0, mode_t(permissions))) }
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
    try status(of: file.descriptor)
  }

  static func status(of descriptor: Int32) throws(Errno) -> FileStatus {
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

  /// Sets the time of the content's last change, in nanoseconds since 1970.
  package static func changeModified(
    of file: borrowing OpenFile, to modified: Int64
  ) throws(Errno) {
    let descriptor = file.descriptor
    let (seconds, nanoseconds) = modified.quotientAndRemainder(dividingBy: 1_000_000_000)
    // The kernel takes nanoseconds of 0 and more, before 1970 too.
    let isBefore = nanoseconds < 0
    #if canImport(Darwin)
      let unchanged = Int(UTIME_OMIT)
    #else
      let unchanged = Int(LINUX_UTIME_OMIT)
    #endif
    let times = [
      timespec(tv_sec: 0, tv_nsec: unchanged),
      timespec(
        tv_sec: time_t(isBefore ? seconds - 1 : seconds),
        tv_nsec: Int(isBefore ? nanoseconds + 1_000_000_000 : nanoseconds)),
    ]
    _ = try call(.futimens) { unsafe Int(futimens(descriptor, times)) }
  }

  /// Returns the bytes that this user may still write to the volume of a file or a folder.
  ///
  /// On Apple platforms the system may free more by purging caches.
  package static func freeSpace(at path: String) throws(Errno) -> Int64 {
    #if canImport(Darwin)
      // The blocks of statvfs(3) have 32 bits there.
      var status = statfs()
      _ = try unsafe call(.statvfs, path) { unsafe Int(statfs($0, &status)) }
      let (blocks, size) = (UInt64(status.f_bavail), UInt64(status.f_bsize))
    #else
      var status = statvfs()
      _ = try unsafe call(.statvfs, path) { unsafe Int(statvfs($0, &status)) }
      let (blocks, size) = (UInt64(status.f_bavail), UInt64(status.f_frsize))
    #endif
    let (bytes, isTooLarge) = blocks.multipliedReportingOverflow(by: size)
    return isTooLarge ? .max : Int64(clamping: bytes)
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

  static func call(
    _ name: Name, _ path: String, _ body: (UnsafePointer<CChar>) -> Int
  ) throws(Errno) -> Int {
    // C would stop reading at the NUL and operate on another file.
    guard !path.utf8.contains(0) else { throw .invalidArgument }
    let path = fault?.folded(path) ?? path
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
