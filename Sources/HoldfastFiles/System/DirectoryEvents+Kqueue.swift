#if canImport(Darwin)
  import Darwin
  import Synchronization

  /// A watcher that reports changes of one directory's files to the thread that waits for them.
  ///
  /// The directory reports only names that are added and removed; writes to a write-ahead log are
  /// reported only for the log itself. So the log is opened too, which releases no lock; a database
  /// or a `-shm` is never opened.
  ///
  /// - SeeAlso: `kqueue(2)`
  package final class DirectoryEvents: Sendable {
    private final class Watch: Sendable {
      let folder: OpenFile
      let logPath: String
      let log = Mutex<OpenFile?>(nil)

      init(of folder: consuming OpenFile, logPath: String) {
        self.folder = folder
        self.logPath = logPath
      }
    }

    private let queue: OpenFile
    private let watch = Mutex<Watch?>(nil)

    /// Creates a watcher that watches nothing yet; ``wake()`` already ends ``wait(_:for:)``.
    package init() throws(Errno) {
      let descriptor = kqueue()
      guard descriptor >= 0 else { throw Errno(errno) }
      queue = OpenFile(descriptor: descriptor)
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      _ = change(0, Int16(EVFILT_USER), EV_ADD | EV_CLEAR, 0)
    }

    /// Whether a directory is watched.
    package var isWatching: Bool { watch.withLock { $0 != nil } }

    /// Watches a directory instead of the previous one.
    ///
    /// - Parameters:
    ///   - directory: The path of the directory.
    ///   - log: The path of the file whose writes are reported.
    /// - Throws: `Errno` when the directory does not exist or may not be read.
    package func begin(at directory: String, log: String) throws(Errno) {
      let folder = try SystemCalls.openFile(directory, for: .read)
      guard register(folder) else { throw Errno(errno) }
      let begun = Watch(of: folder, logPath: log)
      watch.withLock { $0 = begun }
      registerLog()
    }

    /// Stops watching.
    package func end() {
      watch.withLock { $0 = nil }
    }

    /// Ends the current wait, or the next one; may be called on any thread.
    package func wake() {
      _ = change(0, Int16(EVFILT_USER), 0, UInt32(NOTE_TRIGGER))
    }

    /// Blocks the calling thread until an event occurs.
    ///
    /// - Parameters:
    ///   - limit: The longest time to wait.
    ///   - mask: The events that end the wait; in this implementation all of them do.
    /// - Returns: The reason why the wait ended.
    package func wait(_ limit: Duration, for mask: DirectoryEventMask) -> DirectoryEvent {
      let (seconds, attoseconds) = max(limit, .zero).components
      var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
      var event = unsafe kevent()
      guard unsafe kevent(queue.descriptor, nil, 0, &event, 1, &time) > 0 else { return .quiet }
      if unsafe event.filter == Int16(EVFILT_USER) { return .woken }
      registerLog()
      return .anything
    }

    /// Watches the log that exists now.
    private func registerLog() {
      guard let watch = watch.withLock({ $0 }) else { return }
      watch.log.withLock { held in
        held = nil
        // The directory reports the creation of a log that does not exist yet.
        guard let log = try? SystemCalls.openFile(watch.logPath, for: .read), register(log) else {
          return
        }
        held = consume log
      }
    }

    private func register(_ file: borrowing OpenFile) -> Bool {
      let what = NOTE_WRITE | NOTE_EXTEND | NOTE_DELETE | NOTE_RENAME | NOTE_ATTRIB
      return change(
        UInt(file.descriptor), Int16(EVFILT_VNODE), EV_ADD | EV_CLEAR, UInt32(bitPattern: what))
    }

    private func change(
      _ identity: UInt, _ filter: Int16, _ flags: CInt, _ notes: UInt32
    ) -> Bool {
      var event = unsafe kevent(
        ident: identity, filter: filter, flags: UInt16(flags), fflags: notes, data: 0, udata: nil)
      return unsafe kevent(queue.descriptor, &event, 1, nil, 0, nil) >= 0
    }
  }
#endif
