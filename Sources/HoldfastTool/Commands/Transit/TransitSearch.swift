import Holdfast
import HoldfastTransit

/// `holdfast transit search DB TEXT [--limit N] [--near LAT,LON] [--language CODE]`.
struct TransitSearch: Verb {
  private let database = Argument.timetable
  private let text = Argument("TEXT", "The text to search for.", .text)
  private let limit = Option(
    "--limit", "N", "Prints at most N stops.", .integer(in: 1...10_000), otherwise: 50)
  private let position = Option(
    "--near", "LAT,LON", "Prints the nearest of equally good matches first.", .position)
  private let language = Option.language

  var declaration: Declaration {
    Declaration(
      "search", "Finds stops by the beginnings of words, in any order.", database,
      text, limit, position, language, example: "harbour.db 'quay circ'")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let timetable = try Timetable(readingFileAt: arguments[database])
    defer { timetable.reader.closeIgnoringErrors() }
    var search = StopSearch(
      arguments[text], limit: arguments[limit], near: arguments[position])
    search.languages = arguments[language]
    let stops = try await timetable.reader.read { [search] db in try search.fetchAll(db) }
    try output.records(of: "stops", as: .stops, stops.lazy.map(OutputRecord.init(stop:)))
    return .success
  }
}
