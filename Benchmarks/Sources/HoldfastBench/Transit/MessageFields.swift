/// The fields of a message of protocol buffers, as a server encodes them.
struct MessageFields {
  private(set) var bytes: [UInt8] = []

  private mutating func add(varint number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private mutating func add(tag field: Int, _ type: UInt64) {
    add(varint: UInt64(field) << 3 | type)
  }

  private mutating func add(_ field: Int, _ content: some Collection<UInt8>) {
    add(tag: field, 2)
    add(varint: UInt64(content.count))
    bytes += content
  }

  mutating func add(_ field: Int, _ number: Int) {
    add(tag: field, 0)
    add(varint: UInt64(bitPattern: Int64(number)))
  }

  mutating func add(_ field: Int, _ number: Float) {
    add(tag: field, 5)
    for shift in [0, 8, 16, 24] {
      bytes.append(UInt8(truncatingIfNeeded: number.bitPattern >> shift))
    }
  }

  mutating func add(_ field: Int, _ text: String) {
    add(field, text.utf8)
  }

  /// Adds a message.
  mutating func add(_ field: Int, _ body: (inout MessageFields) -> Void) {
    var fields = MessageFields()
    body(&fields)
    add(field, fields.bytes)
  }
}
