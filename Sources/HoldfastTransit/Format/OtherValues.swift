/// The values of other columns, which are stored as one CSV record.
enum OtherValues {
  /// Returns the values of a record; blank ones are empty.
  static func values(of record: String) -> [String] {
    let quote = UInt8(ascii: "\"")
    var values: [String] = []
    var value: [UInt8] = []
    var isQuoted = false
    var bytes = record.utf8.makeIterator()
    var next = bytes.next()
    while let byte = next {
      next = bytes.next()
      if byte == quote {
        if isQuoted, next == quote {
          value.append(quote)
          next = bytes.next()
        } else {
          isQuoted.toggle()
        }
      } else if byte == UInt8(ascii: ","), !isQuoted {
        values.append(String(decoding: value, as: UTF8.self))
        value.removeAll(keepingCapacity: true)
      } else {
        value.append(byte)
      }
    }
    values.append(String(decoding: value, as: UTF8.self))
    return values
  }
}
