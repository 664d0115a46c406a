/// The number that MapLibre Native reads at the beginning of a text, as C++'s functions do.
///
/// It ignores what follows: "3.0" is the integer 3, and "1x" is 1. A text without a number ends the
/// app, because nothing catches the exception of `std::stoi` and `std::stod`.
///
/// - SeeAlso: `platform/default/src/mbgl/storage/mbtiles_file_source.cpp` of MapLibre Native
enum RendererNumber {
  /// Returns an integer of 32 bits; `nil` when the text begins with none.
  static func integer(_ text: String) -> Int? {
    var rest = Substring(text).utf8.drop(while: isSpace)
    let sign = takeSign(&rest)
    return Int32(sign + takeDigits(&rest)).map(Int.init)
  }

  /// Returns a number, which is not finite for "nan", "inf" and what is too great; `nil` when the text begins with none.
  static func real(_ text: String) -> Double? {
    var rest = Substring(text).utf8.drop(while: isSpace)
    let sign = takeSign(&rest)
    for (word, number) in [("inf", Double.infinity), ("nan", .nan)]
    where rest.prefix(3).map({ $0 | 0x20 }) == Array(word.utf8) {
      return sign.isEmpty ? number : -number
    }
    let whole = takeDigits(&rest)
    var fraction = ""
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = takeDigits(&rest)
    }
    guard !whole.isEmpty || !fraction.isEmpty else { return nil }
    var exponent = ""
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest.removeFirst()
      exponent = takeSign(&rest)
      exponent += takeDigits(&rest)
    }
    // A letter or a sign without digits belongs to what follows.
    let hasExponent = exponent.utf8.last.map { $0 != UInt8(ascii: "-") } ?? false
    return Double("\(sign)0\(whole).\(fraction)0" + (hasExponent ? "e\(exponent)" : ""))
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private static func takeSign(_ bytes: inout Substring.UTF8View) -> String {
    guard let first = bytes.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") else {
      return ""
    }
    bytes.removeFirst()
    return first == UInt8(ascii: "-") ? "-" : ""
  }

  private static func takeDigits(_ bytes: inout Substring.UTF8View) -> String {
    let digits = bytes.prefix { (0x30...0x39).contains($0) }
    bytes = bytes.dropFirst(digits.count)
    return String(decoding: digits, as: UTF8.self)
  }
}
