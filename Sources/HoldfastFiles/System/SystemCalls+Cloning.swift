#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

extension SystemCalls {
  /// Creates a file that shares the content of another one, where the volume can: then no bytes
  /// are copied, and a later change of one of the files does not change the other.
  ///
  /// - Parameters:
  ///   - descriptor: The file, open for reading.
  ///   - target: The path of the new file; nothing may exist there.
  /// - Returns: Whether the file was created; `false` when the volume cannot share content. An
  ///   empty file may exist then.
  /// - Throws: `Errno`.
  static func cloneFile(_ descriptor: Int32, to target: String) throws(Errno) -> Bool {
    do throws(Errno) {
      #if canImport(Darwin)
        _ = try unsafe call(.clone, target) { path in
          unsafe Int(fclonefileat(descriptor, AT_FDCWD, path, 0))
        }
      #else
        let copy = try openFile(target, for: .createNew)
        let number = copy.descriptor
        // FICLONE, a macro that Swift does not import: _IOW(0x94, 9, int).
        _ = try call(.clone) { Int(ioctl(number, 0x4004_9409, descriptor)) }
        try copy.close()
      #endif
      return true
    } catch  where Self.cannotClone.contains(error) {
      return false
    }
  }

  /// The errors of volumes that share no content, or none with another volume.
  ///
  /// - SeeAlso: `ioctl_ficlone(2)`, `clonefile(2)`
  private static let cannotClone: Set<Errno> = [
    .notSupported, .notImplemented, .otherVolume, .invalidArgument, Errno(ENOTTY), Errno(EBADF),
    Errno(ETXTBSY), .notPermitted,
  ]
}
