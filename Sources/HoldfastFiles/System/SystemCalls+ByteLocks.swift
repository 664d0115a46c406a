#if os(Linux)
  import CLinux
  import Glibc

  // Locks of an open file: closing another descriptor of the file does not release them, as it does those of the
  // process. They are not public on Apple platforms.
  extension SystemCalls {
    /// Takes a shared lock on bytes of a file until it is closed; throws `wouldBlock` when another holder has an
    /// exclusive one.
    package static func lockForReading(
      _ bytes: ClosedRange<Int64>, of file: borrowing OpenFile
    ) throws(Errno) {
      try setLock(F_RDLCK, on: bytes, of: file)
    }

    /// Releases the locks on bytes.
    package static func unlock(
      _ bytes: ClosedRange<Int64>, of file: borrowing OpenFile
    ) throws(Errno) {
      try setLock(F_UNLCK, on: bytes, of: file)
    }

    private static func setLock(
      _ kind: Int32, on bytes: ClosedRange<Int64>, of file: borrowing OpenFile
    ) throws(Errno) {
      let descriptor = file.descriptor
      var lock = flock()
      lock.l_type = Int16(kind)
      lock.l_whence = Int16(SEEK_SET)
      lock.l_start = off_t(bytes.lowerBound)
      lock.l_len = off_t(bytes.count)
      _ = try call(.fcntl) { unsafe Int(fcntl(descriptor, LINUX_OFD_SETLK, &lock)) }
    }
  }
#endif
