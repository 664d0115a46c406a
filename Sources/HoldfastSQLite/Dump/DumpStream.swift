/// A stream of text that separates the parts of a dump by empty lines.
public struct DumpStream: TextOutputStream {
  private var base: any TextOutputStream
  private var isMarginDue = false

  /// Creates a stream.
  ///
  /// - Parameter base: The destination; standard output if `nil`.
  init(_ base: (any TextOutputStream)?) {
    self.base = base ?? StandardOutput()
  }

  /// Writes an empty line before the next text, unless that begins with one, or nothing follows.
  public mutating func margin() {
    isMarginDue = true
  }

  /// Writes a text.
  ///
  /// - Parameter string: The text, of any number of lines.
  public mutating func write(_ string: String) {
    guard !string.isEmpty else { return }
    if isMarginDue, string.utf8.first != UInt8(ascii: "\n") { base.write("\n") }
    isMarginDue = false
    base.write(string)
  }

  mutating func write(line: String) {
    write(line)
    write("\n")
  }
}

private struct StandardOutput: TextOutputStream {
  mutating func write(_ string: String) {
    print(string, terminator: "")
  }
}
