/// A file that the kernel writes while it is read, such as those below `/proc`.
package struct KernelText: Sendable {
  package let bytes: [UInt8]

  /// In how many pieces the kernel gave it; what changed between two pieces may be missing in both.
  package let pieceCount: Int

  package init(_ path: String) throws(Errno) {
    let file = try SystemCalls.openFile(path, for: .read)
    var bytes: [UInt8] = []
    // The kernel gives such files by the page of memory, however much is asked for.
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

  /// The lines, each as the words between its blanks.
  package var lines: [[ArraySlice<UInt8>]] {
    bytes.split(separator: UInt8(ascii: "\n")).map { line in
      line.split(separator: UInt8(ascii: " "))
    }
  }
}
