/// The reason why bytes are not a protocol buffer message, and the place in them.
struct ProtobufFault: Error, Equatable {
  enum Reason: Equatable {
    /// There are no bytes, although the message cannot be empty.
    case empty
    /// A value ends after the message that contains it.
    case truncated
    /// An integer of more than 64 bits.
    case overlongInteger
    /// A field number of 0 or of more than 29 bits.
    case invalidFieldNumber
    /// One of the two types that do not exist.
    case invalidWireType(Int)
    /// A known field with the type of another one.
    case unexpectedWireType(Int, field: Int)
    /// The end of a group that has not begun, or that is not the innermost one.
    case unopenedGroup(field: Int)
    /// A group without an end.
    case unclosedGroup(field: Int)
    /// Groups within groups, more than any message has.
    case nestedGroups
    /// A message without a field that is required.
    case missingField(String, of: String)
  }

  let reason: Reason
  /// The number of bytes before the place.
  let offset: Int

  init(_ reason: Reason, at offset: Int) {
    (self.reason, self.offset) = (reason, offset)
  }
}
