import HoldfastFiles

/// The name of a download's files, made from the bytes of its id, which may be no file's name.
struct DownloadKey: Hashable, Sendable, CustomStringConvertible {
  let description: String

  /// The key in the name of a file.
  init(name: String) {
    description = name
  }

  init(id: String) {
    var hasher = SHA256()
    hasher.update(Array(id.utf8))
    // 128 bits: two ids never meet by accident.
    description = String(hasher.finalize().description.prefix(32))
  }
}
