/// The text of a file that the kernel generates while it is read, such as those below `/proc`.
package struct KernelText: Sendable {
  package let bytes: [UInt8]

  /// The number of chunks in which the kernel returned it; what changed between two chunks may be
  /// missing in both.
  package let pieceCount: Int

  package init(_ path: String) throws(Errno) {
    let file = try SystemCalls.openFile(path, for: .read)
    var bytes: [UInt8] = []
    // The kernel returns such files one memory page at a time, however many bytes are requested.
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    var pieceCount = 0
    while true {
      let count = try SystemCalls.readBytes(file, into: &buffer)
      if count == 0 { break }
      bytes += buffer[..<count]
      pieceCount += 1
    }
    self.bytes = bytes
    self.pieceCount = pieceCount
  }

  /// The lines, each split into words at its spaces.
  package var lines: [[ArraySlice<UInt8>]] {
    bytes.split(separator: UInt8(ascii: "\n")).map { line in
      line.split(separator: UInt8(ascii: " "))
    }
  }
}
