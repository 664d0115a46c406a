import Foundation
import Holdfast
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
      "Applies a GTFS-Realtime feed message: delays, canceled, added and modified trips, alerts, vehicles; once for each message."
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

/// What a timetable makes of a message.
struct MessageRemark: Sendable {
  let message: LiveParameters.Message
  /// Whether the message is about anything of the timetable.
  let isKnown: Bool
  /// The numbers of updates that say too little, and of trips that are not modified, by what they lack or are.
  let incompleteCounts: [String: Int]
  /// How much older than the question the message is, if that matters.
  let age: MessageAge?
  /// The elements that are not applied, with their numbers.
  private let unappliedParts: [String]

  /// Returns the remarks on messages, of which one may modify trips that another one has updates of.
  ///
  /// - Parameters:
  ///   - messages: The messages.
  ///   - instant: The instant of the question.
  ///   - zone: The zone in which riders read times.
  ///   - db: The connection of the current access.
  /// - Returns: A remark for each.
  /// - Throws: The errors of `RealtimeMessage.matchesTimetable(_:)`.
  static func all(
    _ messages: [LiveParameters.Message], at instant: Date, in zone: TimeZone, _ db: Database
  ) throws -> [MessageRemark] {
    let all = messages.map(\.updates)
    return try messages.map { message in
      try MessageRemark(
        message, among: all, MessageAge(message.updates.timestamp, at: instant, in: zone), db)
    }
  }

  private init(
    _ message: LiveParameters.Message, among all: [TripUpdates], _ age: MessageAge?,
    _ db: Database
  ) throws {
    (self.message, self.age) = (message, age)
    unappliedParts = TripUpdates.parts(message.updates.unappliedCounts(among: all))
    isKnown = try message.content.matchesTimetable(db)
    incompleteCounts = isKnown ? try message.updates.incompleteCounts(db) : [:]
  }

  /// A sentence about what is not applied; `nil` if there is nothing.
  var unappliedSentence: String? {
    let names: KeyValuePairs = [
      "trip_id": "update of a trip that the timetable does not have",
      "route_id": "update without trip_id that fits no trip, or more than one",
      "start_date": "update of a trip that does not run on its start_date",
      "stop_time_update": "update of a stop that its trip does not have",
      "stop_id": "stop of an additional trip that the timetable does not have",
      "start_time": "update of a trip of frequencies.txt without start_time",
      "DUPLICATED": "DUPLICATED trip without start_date and start_time in trip_properties",
      "ADDED": "ADDED trip without line, day or times",
      "NEW": "NEW trip without line, day or times",
      "trip_ids": "modified trip that the timetable does not have",
      "service_dates": "modified trip that runs on none of the service_dates",
      "start_times": "modified trip of frequencies.txt without start_times of its vehicles",
      "stop_selector": "modified trip without the stops of its modifications",
      "modifications": "modified trip whose modifications overlap",
      "travel_time_to_stop": "modified trip whose travel_time_to_stop decreases",
      "replacement_stops": "replacement stop that the timetable does not have",
    ]
    let counts = names.compactMap { name in
      incompleteCounts[name.key].map { "\($0) × \(name.value)" }
    }
    let all = unappliedParts + counts
    return all.isEmpty ? nil : "not applied: \(all.joined(separator: ", "))."
  }
}

extension Output {
  /// Says which messages are about nothing in the timetable, and what of the messages is not applied.
  func explain(_ remarks: [MessageRemark]) {
    for remark in remarks where !remark.isKnown {
      let (content, path) = (remark.message.content, remark.message.path)
      let count = content.tripUpdates.updates.count
      let names =
        content.alerts.isEmpty && content.vehiclePositions.isEmpty
          && content.tripUpdates.tripModifications.isEmpty
        ? count == 1 ? "The trip of '\(path)' is not" : "None of the \(count) trips of '\(path)' is"
        : "None of the trips, routes and stops that '\(path)' names is"
      let sentence =
        "\(names) in the timetable; if its feed was imported with a prefix, name it with --prefix."
      explain(sentence, OutputRecord(remark, sentence))
    }
    for remark in remarks {
      guard let age = remark.age, remark.isKnown else { continue }
      let path = remark.message.path
      let sentence = "'\(path)' \(age.words)"
      explain(
        sentence,
        [
          "live": .text(path), "timestamp": Cell(age.timestamp, in: age.zone),
          "age": Cell(age.seconds), "message": .text(sentence),
        ])
    }
    for remark in remarks {
      if let sentence = remark.unappliedSentence.map({ "'\(remark.message.path)': \($0)" }) {
        explain(sentence, OutputRecord(remark, sentence))
      }
    }
  }
}

extension OutputRecord {
  /// Creates the record of a sentence about a message.
  fileprivate init(_ remark: MessageRemark, _ sentence: String) {
    self = [
      "live": .text(remark.message.path),
      "trip_updates": Cell(remark.message.content.tripUpdates.updates.count),
      "matched": .bool(remark.isKnown), "message": .text(sentence),
    ]
  }
}

extension TripUpdates {
  /// A sentence about the elements of the message that are not applied to any timetable; `nil` if there are none.
  var unappliedSentence: String? {
    let parts = Self.parts(unappliedCounts)
    return parts.isEmpty
      ? nil : "Departures and journeys are answered without: \(parts.joined(separator: ", "))."
  }

  /// Returns the elements that are not applied, with their numbers.
  fileprivate static func parts(_ counts: [String: Int]) -> [String] {
    let names: KeyValuePairs = [
      "modified_trip": "update of a modified trip whose modifications are missing",
      "trip_modifications": "modification of a trip that a later one replaces on its day",
      "time": "time in milliseconds",
      "shape": "shape", "stop": "stop", "other": "entity of another kind",
    ]
    return names.compactMap { name in counts[name.key].map { "\($0) × \(name.value)" } }
  }
}
