extension FileTransfer {
  /// Writes a durable copy with the source's metadata, and returns the digest of the bytes read.
  func copy(_ file: borrowing LockSafeFile) throws(FileError) -> FileDigest {
    let copy = try create()
    let digest = try file.digest(chunk: { bytes throws(FileError) in
      try write(Array(bytes), to: copy)
    })
    guard try file.isUnchanged(), digest.byteCount == file.status.byteCount else {
      throw .notMoved(source, .changed)
    }
    // Attributes are set by path, which the permissions may forbid later.
    try copyAttributes()
    try FileAttributes(of: source).set(on: staging)
    do throws(Errno) {
      try SystemCalls.changePermissions(of: copy, to: file.status.permissions)
      try SystemCalls.changeModified(of: copy, to: file.status.modified)
      try SystemCalls.sync(copy)
      try copy.close()
    } catch {
      throw .couldNotMove(source, error)
    }
    return digest
  }

  private func write(
    _ bytes: [UInt8], to copy: borrowing OpenFile
  ) throws(FileError) {
    do throws(Errno) {
      try SystemCalls.writeBytes(copy, bytes, count: bytes.count)
    } catch {
      throw .couldNotMove(source, error)
    }
  }

  private func create() throws(FileError) -> OpenFile {
    do throws(Errno) {
      return try SystemCalls.openFile(staging.text, for: .createNew)
    } catch {
      throw .couldNotMove(source, error)
    }
  }

  /// Gives the copy the extended attributes of the source that apps have set.
  private func copyAttributes() throws(FileError) {
    do throws(Errno) {
      for name in try names() where Self.isOwn(name) {
        do throws(Errno) {
          let value = try SystemCalls.attribute(name, of: source.text)
          try SystemCalls.setAttribute(name, to: value, of: staging.text)
        } catch .noAttribute {
          // Removed meanwhile.
        }
      }
    } catch {
      throw .couldNotSetAttributes(staging, error)
    }
  }

  private func names() throws(Errno) -> [String] {
    do throws(Errno) {
      return try SystemCalls.attributeNames(of: source.text)
    } catch .notSupported {
      return []
    }
  }

  /// Returns whether an attribute is an app's; the system sets the others itself.
  private static func isOwn(_ name: String) -> Bool {
    #if canImport(Darwin)
      !name.hasPrefix("com.apple.")
    #else
      name.hasPrefix("user.")
    #endif
  }
}
