// Whole numbers with a fraction of zeros, such as `2.0`: tools that hold a column with blank values as floating-point
// numbers write its whole numbers so.

extension BidirectionalCollection<UInt8> {
  /// The digits before a fraction of zeros; `nil` if the text has no such fraction.
  package var beforeZeroFraction: SubSequence? {
    guard let point = firstIndex(of: UInt8(ascii: ".")) else { return nil }
    let fraction = self[point...].dropFirst()
    return !fraction.isEmpty && fraction.allSatisfy { $0 == UInt8(ascii: "0") }
      ? self[..<point] : nil
  }
}

extension String {
  /// The whole number that the text is, with or without a fraction of zeros.
  var wholeNumber: Int? {
    Int(self) ?? utf8.beforeZeroFraction.flatMap { Int(Substring($0)) }
  }
}
