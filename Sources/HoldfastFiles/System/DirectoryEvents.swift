#if canImport(Glibc)
  import CLinux
  import Glibc
  import Synchronization

  /// A watcher that reports changes of one directory's files to the thread that waits for them.
  ///
  /// No file of the directory is opened, so no lock of this process is released by mistake.
  ///
  /// - SeeAlso: `inotify(7)`, `eventfd(2)`
  package final class DirectoryEvents: Sendable {
    /// The largest event: `struct inotify_event` and a name of `NAME_MAX` bytes with its NUL.
    private static let bufferSize = 64 * 1024

    private static let changes =
      UInt32(IN_MODIFY) | UInt32(IN_ATTRIB) | UInt32(IN_CREATE) | UInt32(IN_DELETE)
      | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM) | UInt32(IN_DELETE_SELF)
      | UInt32(IN_MOVE_SELF) | UInt32(IN_ONLYDIR)

    private let wakening: OpenFile
    private let watch = Mutex<Watch?>(nil)

    private final class Watch: Sendable {
      let file: OpenFile
      let directory: String

      init(_ file: consuming OpenFile, of directory: String) {
        self.file = file
        self.directory = directory
      }

      /// The number of the present subscription.
      private let subscription = Mutex<CInt?>(nil)

      /// Reports events from now on.
      func subscribe() throws(Errno) {
        let number = unsafe inotify_add_watch(file.descriptor, directory, DirectoryEvents.changes)
        guard number >= 0 else { throw Errno(errno) }
        subscription.withLock { $0 = number }
      }

      /// Reports no events until the next subscription.
      func unsubscribe() {
        let number = subscription.withLock { number in
          defer { number = nil }
          return number
        }
        // It fails where the directory is gone, which ended the subscription.
        if let number { _ = inotify_rm_watch(file.descriptor, number) }
      }

      /// Whether events with a number are of the present subscription.
      func isPresent(_ number: CInt) -> Bool { subscription.withLock { $0 == number } }
    }

    /// Creates a watcher that watches nothing yet; ``wake()`` already ends ``wait(_:for:)``.
    package init() throws(Errno) {
      // Closed on exec, so that no child process keeps it.
      let descriptor = eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK))
      guard descriptor >= 0 else { throw Errno(errno) }
      wakening = OpenFile(descriptor: descriptor)
    }

    /// Whether a directory is watched.
    package var isWatching: Bool { watch.withLock { $0 != nil } }

    /// Watches a directory instead of the previous one.
    ///
    /// - Parameters:
    ///   - directory: The path of the directory.
    ///   - log: The path of the file whose writes are reported; here the directory reports them.
    /// - Throws: `Errno` when the directory does not exist or may not be read, or when the system's
    ///   limit of watches is reached.
    package func begin(at directory: String, log: String) throws(Errno) {
      end()
      guard !directory.utf8.contains(0) else { throw .invalidArgument }
      let descriptor = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
      guard descriptor >= 0 else { throw Errno(errno) }
      let watch = Watch(OpenFile(descriptor: descriptor), of: directory)
      try watch.subscribe()
      self.watch.withLock { $0 = watch }
    }

    /// Stops watching.
    package func end() {
      watch.withLock { $0 = nil }
    }

    /// Ends the current wait, or the next one; may be called on any thread.
    package func wake() {
      var one: UInt64 = 1
      // It can fail only after 2^64 calls, and then the wait ends too.
      _ = unsafe write(wakening.descriptor, &one, 8)
    }

    /// Blocks the calling thread until an event occurs.
    ///
    /// - Parameters:
    ///   - limit: The longest time to wait.
    ///   - mask: The events that end the wait.
    /// - Returns: The reason why the wait ended; pending events are returned together, immediately.
    package func wait(_ limit: Duration, for mask: DirectoryEventMask) -> DirectoryEvent {
      guard mask == .nothing, let watch = watch.withLock({ $0 }) else {
        return wait(limit, receivesEvents: mask == .everything)
      }
      // Even a subscription to other events makes each write of the directory's files slower.
      watch.unsubscribe()
      let event = wait(limit, receivesEvents: false)
      do throws(Errno) {
        try watch.subscribe()
        return event
      } catch {
        // The directory was removed, or the system's limit of watches is reached.
        end()
        return .lost
      }
    }

    private func wait(_ limit: Duration, receivesEvents: Bool) -> DirectoryEvent {
      let watch = receivesEvents ? watch.withLock { $0 } : nil
      var descriptors = [pollfd(fd: wakening.descriptor, events: Int16(POLLIN), revents: 0)]
      if let watch {
        descriptors.append(pollfd(fd: watch.file.descriptor, events: Int16(POLLIN), revents: 0))
      }
      let (seconds, attoseconds) = max(limit, .zero).components
      var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
      let count = unsafe ppoll(&descriptors, nfds_t(descriptors.count), &time, nil)
      // An interruption by a signal shortens the wait, which `quiet` permits.
      guard count > 0 else { return .quiet }
      if descriptors[0].revents != 0 {
        var sum: UInt64 = 0
        _ = unsafe read(wakening.descriptor, &sum, 8)
        return .woken
      }
      guard let watch else { return .quiet }
      return events(of: watch)
    }

    private func events(of watch: Watch) -> DirectoryEvent {
      var buffer = [UInt8](repeating: 0, count: Self.bufferSize)
      var names: Set<String> = []
      var touched: Set<String> = []
      var isAnything = false
      var isLost = false
      while true {
        let count = unsafe buffer.withUnsafeMutableBytes {
          unsafe read(watch.file.descriptor, $0.baseAddress, $0.count)
        }
        guard count > 0 else { break }
        var offset = 0
        while offset < count {
          let (number, mask, length) = unsafe buffer.withUnsafeBytes { bytes in
            unsafe (
              bytes.loadUnaligned(fromByteOffset: offset, as: CInt.self),
              bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self),
              Int(bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
            )
          }
          let name = buffer[(offset + 16)..<(offset + 16 + length)].prefix { $0 != 0 }
          let text = String(decoding: name, as: UTF8.self)
          if mask & UInt32(IN_ATTRIB) != 0 {
            touched.insert(text)
          } else if !text.isEmpty {
            names.insert(text)
          }
          if mask & UInt32(IN_Q_OVERFLOW) != 0 { isAnything = true }
          let ends = UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_IGNORED)
          let isEnd = mask & (ends | UInt32(IN_UNMOUNT)) != 0
          // An earlier subscription ended because of a pause.
          if isEnd, watch.isPresent(number) { isLost = true }
          offset += 16 + length
        }
        if count < Self.bufferSize / 2 { break }
      }
      if isLost {
        end()
        return .lost
      }
      return isAnything ? .anything : .files(names, touched: touched)
    }
  }
#endif
