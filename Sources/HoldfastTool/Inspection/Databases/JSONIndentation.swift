import Foundation

/// JSON with one value per line.
enum JSONIndentation {
  /// The greatest depth that is indented further.
  private static let mostIndented = 40

  /// Returns a text that looks like JSON with other spaces between its tokens; `nil` when it is not UTF-8.
  ///
  /// Whether it is JSON is not examined: all its characters but spaces outside of texts stay.
  static func text(of bytes: Data) -> String? {
    var output: [UInt8] = []
    var (depth, isInText, isEscaped) = (0, false, false)
    func newLine(_ output: inout [UInt8]) {
      output.append(0x0A)
      output += [UInt8](repeating: 0x20, count: 2 * min(depth, mostIndented))
    }
    for byte in bytes {
      if isInText {
        output.append(byte)
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInText = false
        }
        continue
      }
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: continue
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        output.append(byte)
        depth += 1
        newLine(&output)
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth = max(0, depth - 1)
        newLine(&output)
        output.append(byte)
      case UInt8(ascii: ","):
        output.append(byte)
        newLine(&output)
      case UInt8(ascii: ":"): output += [byte, 0x20]
      default:
        isInText = byte == UInt8(ascii: "\"")
        output.append(byte)
      }
    }
    return String(validating: output, as: UTF8.self)
  }
}
