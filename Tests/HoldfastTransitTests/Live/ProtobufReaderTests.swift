import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

@Suite struct ProtobufReaderTests {
  /// Reads all fields of a message and skips their values; returns their numbers.
  private func numbers(in bytes: [UInt8]) throws(ProtobufFault) -> [Int] {
    var reader = ProtobufReader(bytes)
    var numbers: [Int] = []
    while let field = try reader.nextField() {
      numbers.append(field.number)
      try reader.skip(field)
    }
    return numbers
  }

  /// - SeeAlso: <https://protobuf.dev/programming-guides/encoding/>
  @Test func `the examples of the encoding's description are read`() throws {
    var reader = ProtobufReader([0x08, 0x96, 0x01, 0x12, 0x07] + Array("testing".utf8))
    let first = try #require(try reader.nextField())
    #expect(first.number == 1 && first.type == .varint && first.offset == 0)
    #expect(try reader.integer(first) == 150)
    let second = try #require(try reader.nextField())
    #expect(second.number == 2 && second.offset == 3)
    #expect(try reader.text(second) == "testing")
    #expect(try reader.nextField() == nil)
    #expect(reader.offset == 12)
  }

  @Test func `a message within a message ends where its length says`() throws {
    var outer = ProtobufReader(Wire.message(3, Wire.number(1, 150)) + Wire.number(4, 7))
    let field = try #require(try outer.nextField())
    var inner = try outer.message(field)
    let innerField = try #require(try inner.nextField())
    // Offsets are those of the whole message.
    #expect(innerField.offset == 2)
    #expect(try inner.integer(innerField) == 150)
    #expect(try inner.nextField() == nil)
    #expect(try outer.nextField()?.number == 4)
  }

  @Test(
    arguments: [
      ([0x00], 0), ([0x7F], 127), ([0x80, 0x01], 128), ([0x80, 0x80, 0x00], 0),
      ([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], UInt64.max),
      ([0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00], 1),
    ] as [([UInt8], UInt64)])
  func `an integer has up to ten bytes`(bytes: [UInt8], value: UInt64) throws {
    var reader = ProtobufReader([0x08] + bytes)
    let field = try #require(try reader.nextField())
    #expect(try reader.integer(field) == value)
    #expect(try reader.nextField() == nil)
  }

  @Test func `the upper bits of a long integer are dropped`() throws {
    var reader = ProtobufReader(Wire.number(1, -5) + Wire.number(2, 0x1_0000_0007))
    let first = try #require(try reader.nextField())
    #expect(try reader.int32(first) == -5)
    let second = try #require(try reader.nextField())
    #expect(try reader.uint32(second) == 7)
  }

  @Test func `values of every type are skipped`() throws {
    let group = Wire.joined(
      Wire.tag(9, 3), Wire.number(1, 1), Wire.tag(10, 3), Wire.tag(10, 4), Wire.text(2, "x"),
      Wire.tag(9, 4))
    let bytes = Wire.joined(
      Wire.number(1, 300), Wire.tag(2, 1), Array(repeating: 0xFF, count: 8), Wire.text(3, "text"),
      group, Wire.tag(5, 5), [0xFF, 0xFF, 0xFF, 0xFF], Wire.number((1 << 29) - 1, 0))
    #expect(try numbers(in: bytes) == [1, 2, 3, 9, 5, (1 << 29) - 1])
  }

  private static let overlong = [UInt8](repeating: 0x80, count: 10)

  private static let damaged: [(bytes: [UInt8], reason: ProtobufFault.Reason, offset: Int)] = [
    ([0x80], .truncated, 0),
    ([0x08], .truncated, 1),
    ([0x08, 0x80], .truncated, 1),
    ([0x08, 0x00, 0x0A, 0x05, 0x01], .truncated, 3),
    // Lengths that would overflow an addition.
    (Wire.joined([0x0A], Wire.varint(UInt64(Int.max))), .truncated, 1),
    (Wire.joined([0x0A], Wire.varint(.max)), .truncated, 1),
    ([0x09, 0, 0, 0, 0, 0, 0, 0], .truncated, 1),
    ([0x0D, 0, 0, 0], .truncated, 1),
    (Wire.joined([0x08], overlong, [0x01]), .overlongInteger, 1),
    (Wire.joined([0x08], Array(repeating: 0xFF, count: 9), [0x02]), .overlongInteger, 1),
    (overlong, .overlongInteger, 0),
    ([0x00, 0x00], .invalidFieldNumber, 0),
    (Wire.varint(1 << 32), .invalidFieldNumber, 0),
    ([0x0E], .invalidWireType(6), 0),
    ([0x0F], .invalidWireType(7), 0),
    ([0x08, 0x00, 0x0C], .unopenedGroup(field: 1), 2),
    ([0x0B, 0x14], .unopenedGroup(field: 2), 1),
    ([0x0B, 0x13, 0x14], .unclosedGroup(field: 1), 0),
    ([0x0B, 0x13], .unclosedGroup(field: 2), 1),
  ]

  @Test(arguments: damaged)
  func `damaged bytes end in a fault with its place`(
    bytes: [UInt8], reason: ProtobufFault.Reason, offset: Int
  ) {
    #expect(throws: ProtobufFault(reason, at: offset)) { try numbers(in: bytes) }
  }

  @Test func `a field of another type than expected is a fault`() throws {
    let bytes = Wire.number(1, 5) + Wire.text(2, "5")
    var reader = ProtobufReader(bytes)
    let number = try #require(try reader.nextField())
    let expected = ProtobufFault(.unexpectedWireType(0, field: 1), at: 0)
    #expect(throws: expected) { try reader.text(number) }
    #expect(throws: expected) { try reader.message(number) }
    try reader.skip(number)
    let text = try #require(try reader.nextField())
    #expect(throws: ProtobufFault(.unexpectedWireType(2, field: 2), at: 2)) {
      try reader.integer(text)
    }
  }

  @Test(
    arguments: [
      ([0xFF], "?"), ([0x41, 0xC3], "A?"), ([0xC3, 0x28], "?("), ([0xED, 0xA0, 0x80], "???"),
      ([0xF4, 0x90, 0x80, 0x80], "????"), ([0xC0, 0x80], "??"),
    ] as [([UInt8], String)])
  func `what is not UTF-8 in a text is replaced`(content: [UInt8], text: String) throws {
    var reader = ProtobufReader(Wire.bytes(1, content))
    let field = try #require(try reader.nextField())
    #expect(try reader.text(field) == text.replacing("?", with: "\u{FFFD}"))
  }

  @Test func `a hundred groups may be nested, and a million end in a fault`() throws {
    let open = Wire.tag(1, 3)
    let deep = Array(repeating: open, count: 100).flatMap(\.self)
    let closed = deep + Array(repeating: Wire.tag(1, 4), count: 100).flatMap(\.self)
    #expect(try numbers(in: closed) == [1])
    #expect(throws: ProtobufFault(.nestedGroups, at: 100)) {
      try numbers(in: [UInt8](repeating: open[0], count: 1_000_000))
    }
  }
}
