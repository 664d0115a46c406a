import Foundation
import Holdfast
import HoldfastTransit

/// `holdfast transit validity DB [--at ISO]`.
struct TransitValidity: Verb {
  private let database = Argument("DB", "A timetable database.", .path)
  private let instant = Option(
    "--at", "ISO", "Asks for this instant, such as 2026-07-01T09:00:00+12:00. Otherwise now.",
    .instant)

  var declaration: Declaration {
    Declaration(
      "validity",
      "Says whether a timetable applies to an instant, or is out of date; ends with 1 unless valid.",
      database, instant, example: "harbour.db --at 2026-07-01T09:00:00+12:00")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let timetable = try Timetable(readingFileAt: arguments[database])
    defer { timetable.reader.closeIgnoringErrors() }
    let instant = arguments[instant] ?? Date.now
    let validity = try await timetable.reader.read { db in try FeedValidity(db, at: instant) }
    try output.record(Record(validity, at: instant))
    if let sentence = validity.sentence { output.note(sentence) }
    return validity.status == .valid ? .success : .problemsFound
  }
}

extension FeedValidity {
  /// What it means for the reader of a table; `nil` for a valid timetable.
  fileprivate var sentence: String? {
    switch status {
    case .valid: nil
    case .upcoming: "The timetable begins on \(firstDay ?? "")."
    case .expired: "The timetable ended on \(lastDay ?? ""); import a newer feed."
    case .unknown where timeZone == nil: "The time zone of the agency is unknown."
    case .unknown: "The feed does not say on which days it applies."
    }
  }
}

extension Record {
  /// Creates the record of an answer, with the names of `feed_info.txt` and `agency.txt`.
  fileprivate init(_ validity: FeedValidity, at instant: Date) {
    self = [
      "status": .text(validity.status.rawValue),
      "at": .text(instant.timestamp(in: validity.timeZone ?? .gmt)),
      "date": Cell(validity.day),
      "feed_start_date": Cell(validity.firstDay),
      "feed_end_date": Cell(validity.lastDay),
      "agency_timezone": Cell(validity.timeZone?.identifier),
    ]
  }
}
