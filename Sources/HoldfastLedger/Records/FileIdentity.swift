import HoldfastFiles

/// The digest of a file, for comparison with a record's digest.
enum FileIdentity {
  case digest(FileDigest)
  case unreadable(String)

  static func read(
    _ path: RelocatablePath, in container: Container, until isStopped: () -> Bool = { false }
  ) -> FileIdentity {
    do throws(FileError) {
      let place = try FilePath(of: container.url(for: path))
      switch IdentityReader.digest(of: place, until: isStopped) {
      case .digest(let digest): return .digest(digest)
      case .notExamined(let refusal): return .unreadable("it was not read: \(refusal)")
      case .unreadable(let error): return .unreadable(error.message)
      }
    } catch {
      return .unreadable(error.message)
    }
  }
}
