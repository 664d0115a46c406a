import Foundation
import Holdfast
import HoldfastTransit

/// `holdfast transit validity DB [--at TIME]`.
struct TransitValidity: Verb {
  private let database = Argument.timetable
  private let instant = Option(
    "--at", "TIME",
    "Asks for this instant, in ISO 8601, or a day, or a time of today; without an offset it is a local "
      + "time of the agency. Otherwise now.", .instant)

  var declaration: Declaration {
    Declaration(
      "validity",
      "Says whether a timetable applies to an instant, or is out of date; ends with 1 unless valid.",
      database, instant, example: "harbour.db --at 2026-07-01T09:00:00+12:00")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let timetable = try Timetable(readingFileAt: arguments[database])
    defer { timetable.reader.closeIgnoringErrors() }
    let time = arguments[instant]
    let (validity, instant) = try await timetable.reader.read { db in
      // The current day's answer knows the zone, whatever instant is asked for.
      let current = try FeedValidity(db, at: .now)
      guard let instant = time?.date(in: current.timeZone ?? .gmt) else {
        return (current, Date.now)
      }
      return (try FeedValidity(db, at: instant), instant)
    }
    try output.record(OutputRecord(validity, at: instant))
    for sentence in [validity.sentence, validity.remarkOnStops].compactMap(\.self) {
      output.note(sentence)
    }
    return validity.status == .valid ? .success : .problemsFound
  }
}

extension FeedValidity {
  /// A sentence for the reader of a table; `nil` for a valid timetable on a day with service.
  var sentence: String? {
    switch status {
    case .valid where isAfterLastDay:
      "The last trips of \(lastDay?.description ?? "") still run; import a newer feed."
    case .valid: hasService == false ? remarkOnService : nil
    case .upcoming: "The timetable begins on \(firstDay?.description ?? "")."
    case .expired: "The timetable ended on \(lastDay?.description ?? ""); import a newer feed."
    case .unknown where timeZone == nil: "The time zone of the agency is unknown."
    case .unknown: "The feed does not say on which days it applies."
    }
  }

  /// Whether only trips of the days before are left.
  private var isAfterLastDay: Bool {
    day.flatMap { day in lastDay.map { day > $0 } } ?? false
  }

  /// Why nothing runs although the timetable is valid.
  private var remarkOnService: String {
    let asserted = "the feed says that it covers the days"
    guard let day, let serviceDays else {
      return "Nothing runs: no service of the feed has a day."
    }
    if day > serviceDays.upperBound {
      return "Nothing runs after \(serviceDays.upperBound); \(asserted) to "
        + "\(lastDay?.description ?? "")."
    }
    if day < serviceDays.lowerBound {
      return "Nothing runs before \(serviceDays.lowerBound); \(asserted) from "
        + "\(firstDay?.description ?? "")."
    }
    return "Nothing runs on \(day)."
  }

  /// A remark on stops that lost their departures in the import; `nil` if there are none.
  var remarkOnStops: String? {
    guard stopsWithoutService > 0 else { return nil }
    return "The import left out so much that "
      + "\(Count.of(stopsWithoutService, "stop")) of stop_times.txt lost all service; "
      + "holdfast transit report FEED says what."
  }
}

extension Output {
  /// Explains an empty answer of a timetable that does not apply to the instant of the question.
  ///
  /// - Parameter validity: The validity at that instant; `nil` for an answer that is not empty.
  func explainEmptyAnswer(_ validity: FeedValidity?) {
    guard let validity, let sentence = validity.sentence else { return }
    explain(
      sentence, ["status": .text(validity.status.rawValue), "message": .text(sentence)])
  }
}

extension OutputRecord {
  /// Creates the record of an answer, with the names of `feed_info.txt` and `agency.txt`.
  init(_ validity: FeedValidity, at instant: Date) {
    self = [
      "status": .text(validity.status.rawValue),
      "at": .text(instant.timestamp(in: validity.timeZone ?? .gmt)),
      "date": Cell(validity.day?.description),
      "feed_start_date": Cell(validity.feedStartDate?.description),
      "feed_end_date": Cell(validity.feedEndDate?.description),
      "first_service_date": Cell(validity.serviceDays?.lowerBound.description),
      "last_service_date": Cell(validity.serviceDays?.upperBound.description),
      "agency_timezone": Cell(validity.timeZone?.identifier),
      "has_service": validity.hasService.map(Cell.bool) ?? .null,
      "stops_without_service": Cell(validity.stopsWithoutService),
    ]
  }
}
