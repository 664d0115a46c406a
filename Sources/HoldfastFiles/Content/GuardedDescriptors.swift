import Synchronization

/// The descriptors of guarded files, of this whole process.
///
/// Opening and closing happen one at a time, so that two guarded readers of one file do not take
/// each other for other code.
enum GuardedDescriptors {
  private struct State {
    /// The file that each of them is open on, as the system said after the opening; `nil` while it
    /// has not answered.
    var files: [Int32: FileStatus?] = [:]
    /// Those that are read no more and wait until other code has closed its own.
    var waiting: Set<Int32> = []

    /// Returns the descriptors of a file that other code has opened; `nil` when the system does
    /// not say.
    func foreign(_ status: FileStatus) -> Set<Int32>? {
      SystemCalls.descriptors(of: status)?.subtracting(files.keys)
    }

    /// Returns what a descriptor is open on, which may be another file than the one that had the
    /// name before the opening.
    private func status(of descriptor: Int32) -> FileStatus? {
      // Without an answer, the descriptor stays open.
      try? SystemCalls.status(of: descriptor)
    }

    mutating func closeIfAlone(_ descriptor: Int32) {
      guard let known = files[descriptor] else { return }
      guard let status = known ?? status(of: descriptor), foreign(status) == [] else {
        waiting.insert(descriptor)
        return
      }
      files[descriptor] = nil
      waiting.remove(descriptor)
      // A reader loses nothing when closing fails.
      try? SystemCalls.closeFile(descriptor)
    }
  }

  private static let state = Mutex(State())

  /// Opens a plain file, unless it is a database.
  static func open(
    _ path: FilePath, _ status: FileStatus, evenIfOpen isOpenAllowed: Bool
  ) throws(LockSafeFile.Failure) -> Int32 {
    try state.withLock { state throws(LockSafeFile.Failure) in
      // Not counted by a fault, because their number depends on everything else in the process.
      SystemCalls.$fault.withValue(nil) {
        for descriptor in state.waiting { state.closeIfAlone(descriptor) }
      }
      let others = state.foreign(status)
      if let refusal = refusal(of: status, others, evenIfOpen: isOpenAllowed) {
        throw .refused(refusal)
      }
      let descriptor = try openPlain(path)
      // A database may have been renamed to the path since its status was read.
      state.files[descriptor] = .some(nil)
      do throws(LockSafeFile.Failure) {
        state.files[descriptor] = try openedFile(descriptor, path)
        try refuseFlaw(of: descriptor, status, path)
      } catch {
        state.closeIfAlone(descriptor)
        throw error
      }
      return descriptor
    }
  }

  /// Opens a plain file whose content is known by its digest, also a database and also one that
  /// other code has open.
  static func openSealed(_ path: FilePath) throws(FileError) -> (Int32, FileStatus) {
    try state.withLock { state throws(FileError) in
      // Not counted by a fault, because their number depends on everything else in the process.
      SystemCalls.$fault.withValue(nil) {
        for descriptor in state.waiting { state.closeIfAlone(descriptor) }
      }
      let descriptor: Int32
      do throws(Errno) {
        descriptor = try SystemCalls.openFile(path.text, for: .readPlain).release()
      } catch .tooManyLinks {
        throw .notRegular(path)
      } catch {
        throw .couldNotRead(path, error)
      }
      state.files[descriptor] = .some(nil)
      do throws(Errno) {
        let status = try SystemCalls.status(of: descriptor)
        state.files[descriptor] = status
        if status.kind == .regular { return (descriptor, status) }
      } catch {
        state.closeIfAlone(descriptor)
        throw .couldNotRead(path, error)
      }
      state.closeIfAlone(descriptor)
      throw .notRegular(path)
    }
  }

  /// Closes a descriptor, now or when other code has closed its own.
  static func close(_ descriptor: Int32) {
    state.withLock { $0.closeIfAlone(descriptor) }
  }

  /// Returns why a file must not be opened.
  private static func refusal(
    of status: FileStatus, _ others: Set<Int32>?, evenIfOpen isOpenAllowed: Bool
  ) -> LockSafeFile.Refusal? {
    guard let others else { return .unknownWhetherOpen }
    if others.isEmpty { return nil }
    guard isOpenAllowed else { return .openHere }
    do throws(Errno) {
      for descriptor in others.sorted() {
        if let start = try start(of: descriptor, status) {
          return start == LockSafeFile.databaseHeader ? .database : nil
        }
      }
      // None of them is open for reading.
      return .unknownWhetherOpen
    } catch {
      return .unknownWhetherOpen
    }
  }

  /// Returns the first bytes of a file; `nil` when the descriptor is not open for reading, or is
  /// another file's by now.
  private static func start(
    of descriptor: Int32, _ status: FileStatus
  ) throws(Errno) -> [UInt8]? {
    let count = LockSafeFile.databaseHeader.count
    return try SystemCalls.firstBytes(count, through: descriptor, of: status)
  }

  private static func openPlain(_ path: FilePath) throws(LockSafeFile.Failure) -> Int32 {
    do throws(Errno) {
      return try SystemCalls.openFile(path.text, for: .readPlain).release()
    } catch .tooManyLinks {
      // A symbolic link has taken the name.
      throw .refused(.changed)
    } catch {
      throw .failed(.couldNotRead(path, error))
    }
  }

  private static func openedFile(
    _ descriptor: Int32, _ path: FilePath
  ) throws(LockSafeFile.Failure) -> FileStatus {
    do throws(Errno) {
      return try SystemCalls.status(of: descriptor)
    } catch {
      throw .failed(.couldNotRead(path, error))
    }
  }

  private static func refuseFlaw(
    of descriptor: Int32, _ status: FileStatus, _ path: FilePath
  ) throws(LockSafeFile.Failure) {
    let start: [UInt8]?
    do throws(Errno) {
      start = try Self.start(of: descriptor, status)
    } catch {
      throw .failed(.couldNotRead(path, error))
    }
    guard let start else { throw .refused(.changed) }
    if start == LockSafeFile.databaseHeader { throw .refused(.database) }
  }
}
