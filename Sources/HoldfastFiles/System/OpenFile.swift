/// A descriptor with one owner, closed when the owner goes.
package struct OpenFile: ~Copyable, Sendable {
  let descriptor: Int32

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    // A reader loses nothing by a failing close; writers call `close()`, which tells.
    try? SystemCalls.closeFile(descriptor)
  }

  /// Closes the file and tells what the system withheld until now.
  package consuming func close() throws(Errno) {
    let descriptor = self.descriptor
    discard self
    try SystemCalls.closeFile(descriptor)
  }
}
