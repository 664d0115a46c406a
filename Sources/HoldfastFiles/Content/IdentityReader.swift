/// A reader of the digests that a search by identity compares.
package enum IdentityReader {
  /// The digest of a file, or the reason there is none.
  package enum Answer: Sendable {
    case digest(FileDigest)
    /// The file must not be read, or could not be read as one state.
    case notExamined(LockSafeFile.Refusal)
    case unreadable(FileError)
  }

  /// Returns the digest of a file that is no database, and that this process does not have open.
  ///
  /// - Parameters:
  ///   - path: The file, whose length the caller has compared; a symbolic link is refused.
  ///   - isStopped: Asked before each chunk of 256 KiB.
  /// - Returns: The digest, or the reason why there is none.
  package static func digest(of path: FilePath, until isStopped: () -> Bool = { false }) -> Answer {
    do throws(LockSafeFile.Failure) {
      return try answer(LockSafeFile(path), until: isStopped)
    } catch {
      switch error {
      case .refused(let refusal): return .notExamined(refusal)
      case .failed(let error): return .unreadable(error)
      }
    }
  }

  private static func answer(
    _ file: borrowing LockSafeFile, until isStopped: () -> Bool
  ) throws(LockSafeFile.Failure) -> Answer {
    var isCut = false
    do throws(FileError) {
      let digest = try file.digest(until: {
        isCut = isStopped()
        return isCut
      })
      if isCut { return .notExamined(.stopped) }
      guard try file.isUnchanged(), digest.byteCount == file.status.byteCount else {
        return .notExamined(.changed)
      }
      return .digest(digest)
    } catch {
      throw .failed(error)
    }
  }
}
