/// A reader of the lines of a text, each with its end.
///
/// What lies around a path in a line is not looked at: it may be a field of CSV or a value of YAML, and the path may
/// go on behind what looks like its end.
struct LineTexts: TextReader {
  let isSought: ([UInt8]) -> Bool
  private var line: [UInt8] = []

  /// Prepares to read texts.
  ///
  /// - Parameter isSought: Whether a text is visited.
  init(where isSought: @escaping ([UInt8]) -> Bool = { _ in true }) { self.isSought = isSought }

  mutating func read(_ bytes: ArraySlice<UInt8>, _ visit: (StoredText) throws -> Void) rethrows {
    for byte in bytes {
      line.append(byte)
      if byte == 0x0A {
        try visitLine(upTo: line.count, visit)
      } else if line.count >= Self.longestText {
        try visitLine(upTo: Self.cut(line), visit)
      }
    }
  }

  mutating func end(_ visit: (StoredText) throws -> Void) rethrows {
    line.append(0x0A)
    try visitLine(upTo: line.count, visit)
  }

  private mutating func visitLine(
    upTo end: Int, _ visit: (StoredText) throws -> Void
  ) rethrows {
    let text = Array(line[..<end])
    line.removeFirst(end)
    guard isSought(text) else { return }
    try visit(StoredText(key: "", text: String(decoding: text, as: UTF8.self)))
  }
}
