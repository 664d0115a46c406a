import Foundation
import Holdfast
import HoldfastTransit

/// The parameters of the verbs that list departures and arrivals.
struct BoardParameters: Sendable {
  let database = Argument.timetable
  let stops = Argument(
    "STOP_ID", "The stop_id of a stop or of a station, or several separated by commas.", .text)
  let time = Option(
    "--at", "TIME",
    "The first instant, in ISO 8601, or a time of today; without an offset it is a local time at the "
      + "stop. Otherwise now.", .instant)
  let day = Option(
    "--date", "DATE", "The day of the first instant, from its beginning or from --at.", .day)
  let limit: Option<Int>
  let live = LiveParameters()
  let all: Flag
  let language = Option.language

  init(_ things: String, all: String) {
    limit = Option(
      "--limit", "N", "Prints at most N \(things).", .integer(in: 1...10_000), otherwise: 20)
    self.all = Flag("--all", all)
  }

  var list: [any Parameter] {
    [database, stops, time, day, limit] + live.list + [all, language]
  }

  /// A question of the command line.
  struct Question: Sendable {
    var sids: [Int64]
    var instant: Date
    var limit: Int
    var message: RealtimeMessage?
    var includesAll: Bool
    /// The names in the language of the command line.
    var translations: Translations
  }

  /// The answer to a question.
  struct Answer<Call: BoardCall & Sendable>: Sendable {
    var values: [BoardAnswer<Call>]
    /// The name of the stop or the station; `nil` for several.
    var place: String?
    /// Whether feed messages were applied.
    var isLive: Bool
    /// The languages of the command line.
    var languages: [String]
  }

  /// Asks the question of the command line, and explains an empty answer of an outdated timetable.
  func answers<Call: BoardCall & Sendable>(
    _ arguments: ParsedArguments, _ output: Output,
    _ fetch: @escaping @Sendable (Question, Database) throws -> [BoardAnswer<Call>]
  ) async throws -> Answer<Call> {
    let messages = try live.messages(arguments)
    let message = messages.isEmpty ? nil : RealtimeMessage(merging: messages.map(\.content))
    let timetable = try Timetable(readingFileAt: arguments[database])
    defer { timetable.reader.closeIgnoringErrors() }
    let time = try InstantText.combined(arguments[time], arguments[day])
    let (word, path) = (arguments[stops], arguments[database].relativePath)
    let (limit, all) = (arguments[limit], arguments[all])
    let languages = arguments[language]
    let translations = Translations(languages)
    let (answer, validity, remarks, alerts) = try await timetable.reader.read { db in
      let stops = try Self.stops(word, db, path)
      let zone = try stops.first?.timeZone(db) ?? .gmt
      let question = Question(
        sids: stops.map(\.sid), instant: time?.date(in: zone) ?? Date(), limit: limit,
        message: message, includesAll: all, translations: translations)
      let values = try fetch(question, db)
      let validity = try values.isEmpty ? FeedValidity(db, at: question.instant) : nil
      let names = try stops.map { try translations.translating($0, db).stopName }
      let answer = Answer(
        values: values, place: names.count == 1 ? names.first : nil, isLive: message != nil,
        languages: languages)
      let remarks = try MessageRemark.all(messages, at: question.instant, in: zone, db)
      let alerts = try message.map { message in
        try stops.flatMap { stop in
          try message.alerts(
            about: stop, from: question.instant, through: question.instant + 86_400, db)
        }
      }
      return (answer, validity, remarks, alerts ?? [])
    }
    output.explainEmptyAnswer(validity)
    output.explain(remarks)
    let values = answer.values
    output.note(values.lazy.compactMap(\.call.booking))
    let texts = AlertTexts(values.flatMap(\.alerts) + alerts, in: languages)
    if values.isEmpty, output.format == .json, let first = texts.lines.first {
      output.explain(
        first, ["alerts": .list(texts.records.map(Cell.record)), "message": .text(first)])
    } else {
      for line in texts.lines { output.note(line) }
    }
    output.note(values.compactMap(\.vehicle))
    return answer
  }

  /// Returns the stop that a word names, or those that its parts name.
  private static func stops(_ word: String, _ db: Database, _ path: String) throws -> [Stop] {
    // A stop_id may contain a comma.
    if let stop = try Stop.fetchOne(db, stopID: word) { return [stop] }
    return try word.split(separator: ",", omittingEmptySubsequences: false).map { part in
      guard let stop = try Stop.fetchOne(db, stopID: String(part)) else {
        throw ToolError.noStop(String(part), path)
      }
      return stop
    }
  }
}

extension LiveStopTime.Status {
  /// The name in JSON.
  var name: String {
    switch self {
    case .scheduled: "scheduled"
    case .live: "live"
    case .skipped: "skipped"
    case .canceled: "canceled"
    }
  }
}
