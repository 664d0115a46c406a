#if os(Linux)
  import HoldfastFiles

  /// The file `<database>-signal`, which monitors create and writers touch after a commit.
  ///
  /// A file of this name may be the user's, even another database. Only a file that by itself shows
  /// that it was created here is touched or removed: an empty regular file with one name and the
  /// mode `-rw------T`, which no program gives to a file. `mknod` creates it in one step, only if
  /// the name is free, and without opening it. So a killed process leaves nothing that is not
  /// recognized, and no record can be out of date. A file with content belongs to whatever wrote
  /// it.
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
          // The volume does not store such modes: the file could not be recognized later.
          try SystemCalls.remove(path.text)
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

    /// Removes the file if it is ours; other monitors are notified and create it again.
    func remove() {
      do throws(Errno) {
        let status = try SystemCalls.linkStatus(of: path.text)
        // A database that this process has opened at this path may still be empty.
        guard Self.isOurs(status), ProcessTable.isOpenHere(status) == false else { return }
        try SystemCalls.remove(path.text)
      } catch _ {
        // An empty file that remains is found and used again by the next monitor.
      }
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
