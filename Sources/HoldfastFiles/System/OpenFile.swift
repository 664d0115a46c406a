/// A file descriptor with one owner, closed when the value's lifetime ends.
package struct OpenFile: ~Copyable, Sendable {
  let descriptor: Int32

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    // A reader loses nothing when closing fails; writers call `close()`, which reports it.
    try? SystemCalls.closeFile(descriptor)
  }

  /// Closes the file and throws errors that the system has deferred until now.
  package consuming func close() throws(Errno) {
    let descriptor = self.descriptor
    discard self
    try SystemCalls.closeFile(descriptor)
  }

  /// Gives up the descriptor without closing it.
  consuming func release() -> Int32 {
    let descriptor = self.descriptor
    discard self
    return descriptor
  }
}
