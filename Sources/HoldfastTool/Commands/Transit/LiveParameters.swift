import Foundation
import HoldfastTransit

/// The parameters of verbs that apply live data: messages, and the prefixes of their feeds.
struct LiveParameters: Sendable {
  let files: Option<[URL]>
  let prefixes = Option(
    repeated: "--prefix", "TEXT",
    "Goes before each identifier of a message, as in the import of its feed; once for each --live, in their order. '' is none.",
    .text)

  /// Creates the parameters.
  ///
  /// - Parameter help: The effect of a message on the verb.
  init(
    _ help: String =
      "Applies a GTFS-Realtime feed message: delays, canceled and added trips, alerts, vehicles; once for each message."
  ) {
    files = Option(repeated: "--live", "FILE", help, .path)
  }

  var list: [any Parameter] { [files, prefixes] }

  /// A message of the command line.
  struct Message: Sendable {
    /// The file as it was named.
    let path: String
    /// The content of the message, with the prefix of its feed.
    let content: RealtimeMessage

    var updates: TripUpdates { content.tripUpdates }
  }

  /// Reads the messages.
  func messages(_ arguments: ParsedArguments) throws -> [Message] {
    let (urls, prefixes) = (arguments[files], arguments[prefixes])
    guard prefixes.count <= urls.count else {
      throw ToolError.tooManyPrefixes(prefixes.count, messages: urls.count)
    }
    return try urls.enumerated().map { index, url in
      let content = try RealtimeMessage(contentsOf: url)
      return Message(
        path: url.relativePath,
        content: content.prefixed(by: prefixes.indices.contains(index) ? prefixes[index] : ""))
    }
  }
}

extension Output {
  /// Says which messages are about nothing in the timetable, and what of the messages is not applied.
  func explain(_ messages: [LiveParameters.Message], unmatched: [LiveParameters.Message]) {
    for message in unmatched {
      let (content, path) = (message.content, message.path)
      let names =
        content.alerts.isEmpty && content.vehiclePositions.isEmpty
        ? "\(Count.of(content.tripUpdates.updates.count, "trip")) of '\(path)'"
        : "trips, routes and stops that '\(path)' names"
      let sentence =
        "None of the \(names) is in the timetable; if its feed was imported with a prefix, name it with "
        + "--prefix."
      explain(
        sentence,
        [
          "live": .text(message.path), "trip_updates": Cell(message.updates.updates.count),
          "matched": .bool(false), "message": .text(sentence),
        ])
    }
    for message in messages {
      if let sentence = message.updates.unappliedSentence {
        note("'\(message.path)': \(sentence)")
      }
    }
  }
}

extension TripUpdates {
  /// A sentence about the elements of the message that are not applied; `nil` if there are none.
  var unappliedSentence: String? {
    let names: KeyValuePairs = [
      "trip_modifications": "trip modification",
      "modified_trip": "update of a modified trip", "shape": "shape", "stop": "stop",
      "other": "entity of another kind",
    ]
    let counts = names.compactMap { name in
      unappliedCounts[name.key].map { "\($0) × \(name.value)" }
    }
    return counts.isEmpty ? nil : "not applied: \(counts.joined(separator: ", "))."
  }
}
