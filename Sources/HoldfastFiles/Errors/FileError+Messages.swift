// Every error message of this module.

extension FileError {
  // MARK: Paths

  static func notAFilePath(_ url: String) -> FileError {
    FileError(
      code: .invalidPath,
      message: "'\(url)' is not the URL of a file with an absolute path in valid UTF-8.",
      advice: "Make the URL with URL(filePath:).", path: url)
  }

  static func illegalPath(_ text: String, _ flaw: RelocatablePath.Flaw) -> FileError {
    let reason =
      switch flaw {
      case .noMark: "it does not begin with '@' and the name of a root"
      case .unknownRoot(let tag): "no root is called '\(tag)'"
      case .groupIdentifier(let tag):
        "the identifier in '\(tag)' has more than ASCII letters, digits, '.', '-' and '_' in it"
      case .emptyName(let number): "name \(number) is empty"
      case .dots(let name, let number): "name \(number) is '\(name)', which could leave the root"
      case .nul(let number): "name \(number) contains the character NUL"
      case .slash(let name, let number): "name \(number), '\(name)', contains a '/'"
      }
    return FileError(
      code: .invalidPath, message: "'\(text)' is not a relocatable path: \(reason).",
      advice: "Write a path like '@documents/downloads/book.m4b', one legal name after each '/'.",
      path: text)
  }

  static func unreadableLegacyPath(
    _ text: String, _ flaw: RelocatablePath.LegacyFlaw
  ) -> FileError {
    let (code, reason, advice): (Code, String, String) =
      switch flaw {
      case .empty:
        (.invalidPath, "it is empty", "Treat the record as one without a file.")
      case .bareWithoutRoot:
        (
          .invalidPath, "it is relative, and no root was given",
          "Name the root that it was relative to, as bareRoot."
        )
      case .groupNotNamed:
        (
          .invalidPath, "it lies in the container of an app group, whose path does not name it",
          "Name the group as appGroup."
        )
      case .noContainer:
        (
          .outsideRoot, "it is absolute and lies in no app's container",
          "Use Container.relocatablePath(for:) if it is in the current container."
        )
      case .remote(let scheme):
        (
          .invalidPath, "it is a '\(scheme)' address, not a file",
          "Keep addresses apart from paths."
        )
      case .urlHost(let host):
        (.invalidPath, "it names the host '\(host)'", "Give the path on this device.")
      case .urlRelative:
        (.invalidPath, "it is a file URL without an absolute path", "Give an absolute file URL.")
      case .urlMark(let mark):
        (
          .invalidPath, "it is a URL with an unescaped '\(mark)', so its path may be cut short",
          "Escape the character, or give a plain path."
        )
      case .urlEscape(let name):
        (
          .invalidPath, "'\(name)' does not percent-decode to valid UTF-8",
          "Give a plain path if it was never encoded."
        )
      case .outsideRoots(let rest):
        (
          .outsideRoot, "'\(rest)' is in none of the roots of its container",
          "Move the file below Documents, Library/Caches, Library/Application Support or tmp."
        )
      }
    return FileError(
      code: code, message: "The stored path '\(text)' was not read: \(reason).", advice: advice,
      path: text)
  }

  static func inNoRoot(_ path: FilePath) -> FileError {
    FileError(
      code: .outsideRoot, message: "'\(path.name)' is in no root of the container.",
      advice: "Move the file into the container, or list its app group in Container.appGroups.",
      path: path.text)
  }

  static func escape(_ path: RelocatablePath) -> FileError {
    FileError(
      code: .outsideRoot,
      message: "'\(path)' was not resolved: a symbolic link in it leads out of its root or "
        + "nowhere.",
      advice: "Remove the link, or store the path of what it leads to.", path: path.description)
  }

  static func couldNotResolve(_ path: RelocatablePath, _ errno: Errno) -> FileError {
    refusal("'\(path)' was not resolved", path.description, errno)
  }

  static func unknownFolder(_ root: StorageRoot) -> FileError {
    FileError(
      code: .notFound, message: "The system knows no folder for '\(root)'.",
      advice: "Check the app's entitlements, in particular for app groups.", path: root.description)
  }

  // MARK: Reading and writing

  package static func couldNotRead(_ path: FilePath, _ errno: Errno) -> FileError {
    refusal("'\(path.name)' was not read", path.text, errno)
  }

  /// The error on a system that does not report a process's own locks.
  package static func locksUnavailable(_ path: FilePath) -> FileError {
    FileError(
      code: .unsupported,
      message: "The locks on '\(path.name)' were not read: this process has it open, and reading "
        + "them would release its own locks.",
      advice: "Read them in a process that does not have the database open.", path: path.text)
  }

  static func noLockTable(_ path: FilePath, _ errno: Errno) -> FileError {
    FileError(
      code: .unsupported,
      message: "The kernel's table of locks, '\(path.text)', was not read: the system said "
        + "'\(SystemCalls.description(of: errno))'.",
      advice: "Make /proc readable for this process.", path: path.text, errno: errno.rawValue)
  }

  static func strangeLockTable(_ path: FilePath, line: String) -> FileError {
    FileError(
      code: .unsupported,
      message: "The kernel's table of locks has a line that does not describe a lock: '\(line)'.",
      advice: "Report the line, with the version of the kernel.", path: path.text)
  }

  /// The error when the table shows the processes of another PID namespace.
  static func foreignLockTable(_ path: FilePath) -> FileError {
    FileError(
      code: .unsupported,
      message: "The locks were not read from '\(path.text)': it shows the process numbers of "
        + "another PID namespace, in which this process cannot be found.",
      advice: "Mount the /proc of the namespace that the process runs in.", path: path.text)
  }

  package static func couldNotRemove(_ path: FilePath, _ errno: Errno) -> FileError {
    refusal("'\(path.name)' was not removed", path.text, errno)
  }

  static func couldNotMark(
    _ database: FilePath, _ marker: FilePath, _ errno: Errno
  ) -> FileError {
    var error = refusal(
      "'\(database.name)' was not created: '\(marker.name)', which marks it as incomplete until it "
        + "is done, was not made", database.text, errno)
    if errno == .alreadyExists { error.advice = "Rename '\(marker.name)', or choose another name." }
    return error
  }

  package static func couldNotMakeDirectory(_ path: FilePath, _ errno: Errno) -> FileError {
    refusal("The folder '\(path.name)' was not made", path.text, errno)
  }

  package static func notRegular(_ path: FilePath) -> FileError {
    FileError(
      code: .notRegularFile, message: "'\(path.name)' is not a plain file.",
      advice: "Give a file, not a folder or a device.", path: path.text)
  }

  static func linkInPlace(_ path: FilePath) -> FileError {
    FileError(
      code: .notRegularFile, message: "'\(path.name)' is a symbolic link; it was left as it is.",
      advice: "Name another file.", path: path.text)
  }

  static func digestMismatch(
    _ path: FilePath, expected: SHA256Digest, found: SHA256Digest
  ) -> FileError {
    FileError(
      code: .digestMismatch,
      message: "'\(path.name)' is not the expected file: SHA-256 \(expected) was expected, "
        + "\(found) was found.",
      advice: "Fetch the file again.", path: path.text)
  }

  // MARK: Replacing

  package static func couldNotWrite(_ path: FilePath, _ errno: Errno) -> FileError {
    refusal("'\(path.name)' was not written", path.text, errno)
  }

  package static func couldNotReplace(_ path: FilePath, _ errno: Errno) -> FileError {
    refusal("'\(path.name)' was not replaced", path.text, errno)
  }

  /// The error for writing a file in place of a database's companion.
  package static func companion(_ companion: DatabaseCompanion, for path: FilePath) -> FileError {
    FileError(
      code: .companion,
      message: "'\(path.name)' was not written: it is the name of the \(companion.kind) of the "
        + "database '\(companion.database.name)', whose changes would be lost.",
      advice: "Choose another name.", path: path.text)
  }

  /// The error for a copy of a database that would lie next to the log of another one.
  package static func logNextToCopy(_ path: FilePath, log: FilePath) -> FileError {
    FileError(
      code: .sidecarPresent,
      message: "'\(path.name)' was not written: '\(log.name)' has content, which SQLite would "
        + "delete or apply to the new file.",
      advice: "Choose another name, or move '\(log.name)' away if it is not needed.",
      path: path.text)
  }

  static func logNextToTarget(_ path: FilePath, log: FilePath) -> FileError {
    FileError(
      code: .sidecarPresent,
      message: "'\(path.name)' was not replaced: '\(log.name)' has content, which SQLite would "
        + "apply to the new file.",
      advice: "Close every connection to the database, or open and close it once if a process "
        + "died; better, give the new content a new name.",
      path: path.text)
  }

  static func logBesideSource(_ path: FilePath, log: FilePath) -> FileError {
    FileError(
      code: .sidecarPresent,
      message: "'\(path.name)' was not copied: '\(log.name)' has content, which the copy would "
        + "lack.",
      advice: "Back up the database through SQLite instead of copying the file.", path: path.text)
  }

  static func unfinishedStaging(_ path: FilePath, sidecar: FilePath) -> FileError {
    FileError(
      code: .sidecarPresent,
      message: "'\(path.name)' was not replaced: the new database left '\(sidecar.name)' with "
        + "content.",
      advice: "Close every connection to the new database before the closure returns.",
      path: path.text)
  }

  static func nothingStaged(_ path: FilePath) -> FileError {
    FileError(
      code: .notFound, message: "'\(path.name)' was not replaced: the closure made no file.",
      advice: "Write the new content to the URL that the closure is given.", path: path.text)
  }

  package static func notDurable(_ path: FilePath, _ errno: Errno) -> FileError {
    var error = refusal(
      "'\(path.name)' was replaced, but a power loss may bring the old file back", path.text, errno)
    error.code = .notDurable
    error.advice = "Replace the file again when the volume works."
    return error
  }

  // MARK: Moving

  package static func couldNotMove(_ path: FilePath, _ errno: Errno) -> FileError {
    refusal("'\(path.name)' was not moved", path.text, errno)
  }

  /// The error for a file that a guarded reader refuses.
  static func notMoved(_ path: FilePath, _ refusal: LockSafeFile.Refusal) -> FileError {
    let (code, reason, advice): (Code, String, String?) =
      switch refusal {
      case .notRegular: (.notRegularFile, "it is not a plain file", "Give a file, not a folder.")
      case .database:
        (
          .database, "it is a database, or has the files of one next to it",
          "Back up a database to its new path through SQLite instead."
        )
      case .companion(let kind):
        (
          .companion, "it is the \(kind) of a database, whose changes would be lost",
          "Leave it next to its database."
        )
      case .openHere, .unknownWhetherOpen:
        (
          .busy, "this process may have it open as a database, which cannot be seen",
          "Close the file, or move it from a process that has not opened it."
        )
      case .changed: (.busy, "it was changed meanwhile", "Move it again when it is complete.")
      case .stopped: (.busy, "the reading was stopped", nil)
      }
    return FileError(
      code: code, message: "'\(path.name)' was not moved: \(reason).", advice: advice,
      path: path.text)
  }

  static func couldNotCopy(
    _ source: FilePath, to target: FilePath, _ errno: Errno
  ) -> FileError {
    refusal("'\(source.name)' was not copied to '\(target.name)'", target.text, errno)
  }

  static func sourceDiffers(
    _ source: FilePath, expected: FileDigest, found: FileDigest
  ) -> FileError {
    guard expected.byteCount == found.byteCount else {
      return lengthDiffers(source, expected: expected.byteCount, found: found.byteCount)
    }
    return differs(source, "its SHA-256 is \(found.sha256), not \(expected.sha256)")
  }

  static func lengthDiffers(_ source: FilePath, expected: Int64, found: Int64) -> FileError {
    differs(source, "it has \(found) bytes, not \(expected)")
  }

  private static func differs(_ source: FilePath, _ difference: String) -> FileError {
    FileError(
      code: .digestMismatch, message: "'\(source.name)' was not copied: \(difference).",
      advice: "Get the complete file again.", path: source.text)
  }

  package static func copyStopped(_ source: FilePath) -> FileError {
    refusal("'\(source.name)' was not copied", source.text, .interrupted)
  }

  static func copyDiffers(_ path: FilePath) -> FileError {
    FileError(
      code: .digestMismatch,
      message: "'\(path.name)' was not moved: its copy, read back, has other content.",
      advice: "Check the volume for errors, and move the file again.", path: path.text)
  }

  static func moveNotDurable(_ path: FilePath, _ errno: Errno) -> FileError {
    var error = refusal("'\(path.name)' was copied, and not yet removed", path.text, errno)
    error.code = .notDurable
    error.advice = "Move it again when the volume works; the copy is found and nothing is lost."
    return error
  }

  // MARK: Locks and attributes

  package static func busy(_ path: FilePath, waited: Duration) -> FileError {
    FileError(
      code: .busy,
      message: waited > .zero
        ? "'\(path.name)' was held by another process or thread for more than \(waited)."
        : "'\(path.name)' is held by another process or thread.",
      advice: waited > .zero ? "Try again later, or wait longer." : "Try again later.",
      path: path.text)
  }

  static func couldNotLock(
    _ path: FilePath, guarding guarded: FilePath?, _ errno: Errno
  ) -> FileError {
    guard let guarded else { return refusal("'\(path.name)' was not locked", path.text, errno) }
    // The caller does not know of the lock file: what fails is creating a file in the folder.
    var error = refusal("'\(guarded.name)' cannot be made", guarded.text, errno)
    switch error.code {
    case .accessDenied:
      error.message = "'\(guarded.name)' cannot be made: the permission is missing in its folder."
      error.advice = "Check the owner and the permissions of the folder."
    case .notFound where errno == .notFound:
      error.message = "'\(guarded.name)' cannot be made: its folder does not exist."
      error.advice = "Check the path, and make the folder first."
    default: break
    }
    return error
  }

  static func notALock(_ path: FilePath) -> FileError {
    FileError(
      code: .notRegularFile,
      message: "'\(path.name)' was not locked: a lock's file is plain and empty, and this one is "
        + "not.",
      advice: "Give the lock a name of its own, next to the file that it guards.", path: path.text)
  }

  static func couldNotReadAttributes(_ path: FilePath, _ errno: Errno) -> FileError {
    refusal("The attributes of '\(path.name)' were not read", path.text, errno)
  }

  static func couldNotSetAttributes(_ path: FilePath, _ errno: Errno) -> FileError {
    refusal("The attributes of '\(path.name)' were not set", path.text, errno)
  }

  static func attributesNotKept(_ path: FilePath) -> FileError {
    FileError(
      code: .unsupported,
      message: "The attributes of '\(path.name)' were set, and the volume did not keep them.",
      advice: "Choose a folder on another volume, or do without.", path: path.text)
  }

  #if canImport(Darwin)
    static func attributesRefused(_ path: FilePath, _ cause: any Error) -> FileError {
      FileError(
        code: .inputOutput,
        message: "The attributes of '\(path.name)' were not read or set: \(cause).",
        path: path.text, underlying: cause)
    }

    static func protectedWhileOpen(_ path: FilePath) -> FileError {
      FileError(
        code: .busy,
        message: "The protection of '\(path.name)' was not set: this process has it open, and the "
          + "system may end its locks by that.",
        advice: "Set it before the database is opened, or on its folder before it is created.",
        path: path.text)
    }
  #endif

  // MARK: The system's reasons

  /// Returns an error that says what was not done, and the system's reason.
  private static func refusal(_ sentence: String, _ path: String, _ errno: Errno) -> FileError {
    let reason = Reason(errno)
    return FileError(
      code: reason.code, message: "\(sentence): \(reason.text).", advice: reason.advice,
      path: path, errno: errno.rawValue)
  }

  private struct Reason {
    var code: Code
    var text: String
    var advice: String?

    init(_ errno: Errno) {
      (code, text, advice) =
        switch errno {
        case .notFound:
          (
            .notFound, "the file or its folder does not exist",
            "Check the path, and make the folder first."
          )
        case .notDirectory:
          (
            .notFound, "a file stands where a folder is needed",
            "Remove that file, or choose another folder."
          )
        case .noSpace, .quotaExceeded:
          (.noSpace, "no space is left on the volume", "Free some space and try again.")
        case .accessDenied, .notPermitted:
          (
            .accessDenied, "the permission is missing",
            "Check the owner and the permissions of the file and its folder."
          )
        case .readOnlyVolume:
          (.readOnly, "the volume cannot be written", "Choose a folder on another volume.")
        case .isDirectory:
          (.notRegularFile, "a folder has this name", "Choose another name.")
        case .alreadyExists:
          (.inputOutput, "something else has this name", "Choose another name.")
        case .nameTooLong:
          (.invalidPath, "the name is too long", "Choose a shorter name.")
        case .notSupported:
          (
            .unsupported, "the volume does not offer it",
            "Choose a folder on another volume, or do without."
          )
        default:
          (.inputOutput, "the system said '\(SystemCalls.description(of: errno))'", nil)
        }
    }
  }
}
