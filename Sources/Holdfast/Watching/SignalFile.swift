#if os(Linux)
  import HoldfastFiles

  /// The file `<database>-signal`, which monitors create and writers touch after a commit.
  ///
  /// A file of this name may be the user's, even another database. Only a file that says by itself
  /// that it was made here is touched: an empty regular file with one name and the mode `-rw------T`,
  /// which no program gives to a file. `mknod` makes it in one step, only where nothing has the name,
  /// and without opening it. What is written to it makes it the writer's.
  ///
  /// It is never removed. Another process may have opened it as a new database that is still empty,
  /// which cannot be excluded in one step with the removal; the next observation finds it and uses it
  /// again.
  struct SignalFile: Sendable {
    private let path: FilePath

    /// The sticky bit, which has no effect on a file, and permissions that no usual mask changes.
    private static let mode: UInt32 = 0o1600

    init(_ files: DatabaseFiles) {
      path = files.signal
    }

    /// Creates the file, or finds the one that another process created.
    ///
    /// - Returns: The reason there is none; `nil` if there is one.
    func make() -> String? {
      do throws(Errno) {
        if try isOurs { return nil }
        return taken
      } catch .notFound {
        do throws(Errno) {
          try SystemCalls.makeEmptyFile(path.text, mode: Self.mode)
          if try isOurs { return nil }
          // Or another process has written to it meanwhile. It stays, because it may be in use.
          return "The volume does not keep the mode of '\(path.name)'."
        } catch .alreadyExists {
          // Another process was faster, or the user created a file.
          return isSurelyOurs ? nil : taken
        } catch {
          return "'\(path.name)' was not made: \(SystemCalls.description(of: error))."
        }
      } catch {
        return "'\(path.name)' was not read: \(SystemCalls.description(of: error))."
      }
    }

    /// Sets the times of the file, of which monitors are notified, if the file is ours.
    func touch() {
      guard isSurelyOurs else { return }
      // If it was removed meanwhile, no process monitors the database.
      do throws(Errno) { try SystemCalls.touch(path.text) } catch _ {}
    }

    private var taken: String { "Another file has the name '\(path.name)'." }

    private var isSurelyOurs: Bool {
      // A file that cannot be examined is not certain to be ours.
      do throws(Errno) { return try isOurs } catch _ { return false }
    }

    private var isOurs: Bool {
      get throws(Errno) { Self.isOurs(try SystemCalls.linkStatus(of: path.text)) }
    }

    private static func isOurs(_ status: FileStatus) -> Bool {
      status.kind == .regular && status.byteCount == 0 && status.linkCount == 1
        && status.isSticky && status.permissions == mode & 0o777
    }
  }
#endif
