import HoldfastFiles

// Every error message about feed messages, with its advice.

extension TransitError {
  private static let fetchAdvice =
    "Fetch it again, and check the URL: a feed message is binary (application/x-protobuf), neither "
    + "HTML nor JSON, nor compressed."

  private static let binaryAdvice =
    "Fetch the feed message in the binary format (application/x-protobuf)"

  private static func messageName(_ path: String?) -> String {
    path.map { "'\($0)'" } ?? "The message"
  }

  static func noFeedMessage(path: String) -> TransitError {
    TransitError(
      code: .notFound, message: "There is no file '\(path)'.", advice: "Check the path.",
      path: path)
  }

  static func unreadable(path: String, _ cause: any Error) -> TransitError {
    TransitError(
      code: .unreadable, message: "'\(path)' cannot be read.",
      advice: "Name a file, not a folder, and check its permissions.", path: path, underlying: cause
    )
  }

  static func malformedMessage(path: String?, _ fault: ProtobufFault) -> TransitError {
    TransitError(
      code: .malformedMessage,
      message: "\(messageName(path)) is not a GTFS-Realtime feed message: "
        + "\(reason(of: fault)), at offset \(fault.offset).",
      advice: fetchAdvice, path: path, underlying: fault, offset: fault.offset)
  }

  static func foreignMessage(
    path: String?, _ form: ForeignMessage, _ fault: ProtobufFault
  ) -> TransitError {
    let (what, advice): (String, String) =
      switch form {
      case .json:
        (
          "is JSON, and GTFS-Realtime as JSON is not read",
          "\(binaryAdvice), often at the same URL without json."
        )
      case .substitute(let content):
        ("is no GTFS-Realtime feed message: it is \(content.sentence)", content.advice)
      case .archive:
        (
          "is a zip archive, and no GTFS-Realtime feed message",
          "Name the feed message; the feed of a timetable is imported. \(binaryAdvice)."
        )
      case .text:
        (
          "is text, and a GTFS-Realtime feed message is binary",
          "Look at what it says. \(binaryAdvice)."
        )
      case .delimited(1, let byteCount):
        (
          "has a feed message behind its length, which belongs to a stream of messages",
          "Remove the length, the first \(byteCount == 1 ? "byte" : "\(byteCount) bytes"), or fetch the "
            + "message alone."
        )
      case .delimited(let messageCount, _):
        (
          "has \(messageCount) feed messages, each behind its length",
          "Write the one that counts into a file of its own, without its length."
        )
      }
    return TransitError(
      code: .malformedMessage, message: "\(messageName(path)) \(what).", advice: advice, path: path,
      underlying: fault, offset: 0)
  }

  private static func reason(of fault: ProtobufFault) -> String {
    switch fault.reason {
    case .empty: "it has no bytes"
    case .truncated: "a value is longer than what contains it"
    case .overlongInteger: "an integer has more than 64 bits"
    case .invalidFieldNumber: "a field has a number that no field can have"
    case .invalidWireType(let type): "a field has the wire type \(type), which does not exist"
    case .unexpectedWireType(let type, let field):
      "field \(field) has the wire type \(type), which belongs to another kind of value"
    case .unopenedGroup(let field): "group \(field) ends where no such group is open"
    case .unclosedGroup(let field): "group \(field) begins and does not end"
    case .nestedGroups: "more than 100 groups are nested"
    case .missingField(let field, let message): "a \(message) has no '\(field)'"
    }
  }

  private static let operatorAdvice =
    "Check that the URL leads to a feed message; if it does, ask the publisher for one message per "
    + "operator."

  static func messageTooLarge(path: String?, limit: Int) -> TransitError {
    TransitError(
      code: .unsupportedMessage,
      message: "\(messageName(path)) needs more than \(limit >> 20) MiB of memory.",
      advice: operatorAdvice, path: path)
  }

  static func tooManyUpdates(
    path: String?, _ limits: FeedMessageDecoder.Limits
  ) -> TransitError {
    TransitError(
      code: .unsupportedMessage,
      message: "\(messageName(path)) has more than \(limits.updateCount) updates, or more than "
        + "\(limits.stopCount) of the stops of one trip.",
      advice: operatorAdvice, path: path)
  }

  static func tooManyModifiedTrips(_ path: String?, calls: Int) -> TransitError {
    TransitError(
      code: .tooLarge,
      message: "The trips that live data modify around that day have more than \(calls) stops.",
      advice: "Ask without the modifications, or for one operator's messages.", path: path)
  }

  static func differentialMessage(path: String?, incrementality: Int32) -> TransitError {
    TransitError(
      code: .unsupportedMessage,
      message: "\(messageName(path)) has only the changes since another message (incrementality "
        + "\(incrementality == 1 ? "DIFFERENTIAL" : "\(incrementality)")), for which GTFS-Realtime "
        + "defines no meaning.",
      advice: "Fetch the feed of full datasets (FULL_DATASET).", path: path)
  }
}
