import Foundation

/// An object of a binary property list, without the objects in it.
///
/// - SeeAlso: `CFBinaryPList.c` in CoreFoundation, which documents the format
enum PropertyListObject {
  case null
  case boolean(Bool)
  /// An integer, in decimal digits: it may have 64 bits without a sign.
  case integer(String)
  /// A number that was stored with a fraction, whatever its value is, in decimal digits.
  case real(String)
  case date(Date)
  /// A reference of an archive of objects to one of them.
  case uid(UInt64)
  case data(ArraySlice<UInt8>)
  case text(String)
  /// The numbers of the elements.
  case array([Int])
  /// The numbers of the keys and of their values.
  case dictionary([(key: Int, value: Int)])
}

extension BinaryPropertyList {
  /// Returns an object by its number; `nil` for one that the format does not have or that leads out of the file.
  func object(_ number: Int) -> PropertyListObject? {
    guard let (marker, content) = content(of: number) else { return scalar(number) }
    func references() -> [Int] {
      stride(from: content.startIndex, to: content.endIndex, by: referenceSize)
        .map { self.number(at: $0, referenceSize) ?? .max }
    }
    switch marker {
    case .string(let isUTF16): return .text(Self.text(content, isUTF16: isUTF16))
    case .data: return .data(content)
    case .array: return .array(references())
    case .dictionary:
      let all = references()
      let keys = all.prefix(all.count / 2)
      return .dictionary(zip(keys, all.dropFirst(keys.count)).map { ($0, $1) })
    }
  }

  private func scalar(_ number: Int) -> PropertyListObject? {
    guard let start = start(of: number) else { return nil }
    let marker = bytes[start]
    switch marker {
    case 0x00: return .null
    case 0x08: return .boolean(false)
    case 0x09: return .boolean(true)
    case 0x10...0x14:
      guard let bits = bits(at: start + 1, count: 1 << Int(marker & 0x0F)) else { return nil }
      // Those of eight bytes alone have a sign; longer ones are of sixteen bytes, for 64 bits without one.
      return .integer(marker == 0x13 ? "\(Int64(bitPattern: bits))" : "\(bits)")
    case 0x22:
      return bits(at: start + 1, count: 4).map { bits in
        .real("\(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))")
      }
    case 0x23: return bits(at: start + 1, count: 8).map { .real("\(Double(bitPattern: $0))") }
    case 0x33:
      return bits(at: start + 1, count: 8).map { bits in
        .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits)))
      }
    case 0x80...0x8F: return bits(at: start + 1, count: Int(marker & 0x0F) + 1).map { .uid($0) }
    default: return nil
    }
  }

  /// Returns the last eight bytes of a number, of which those before them are zero.
  private func bits(at start: Int, count: Int) -> UInt64? {
    guard start + count <= table else { return nil }
    let number = bytes[start..<start + count]
    guard number.dropLast(8).allSatisfy({ $0 == 0 }) else { return nil }
    return number.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
