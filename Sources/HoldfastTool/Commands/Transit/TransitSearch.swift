import Holdfast
import HoldfastTransit

/// `holdfast transit search DB TEXT [--limit N]`.
struct TransitSearch: Verb {
  private let database = Argument("DB", "A timetable database.", .path)
  private let text = Argument("TEXT", "The text to search for.", .text)
  private let limit = Option(
    "--limit", "N", "Prints at most N stops.", .integer(in: 1...10_000), otherwise: 50)

  var declaration: Declaration {
    Declaration(
      "search", "Finds stops by the beginnings of words, in any order.", database,
      text, limit, example: "harbour.db 'quay circ'")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let timetable = try Timetable(readingFileAt: arguments[database])
    defer { timetable.reader.closeIgnoringErrors() }
    let search = StopSearch(arguments[text], limit: arguments[limit])
    let stops = try await timetable.reader.read { db in try search.fetchAll(db) }
    try output.records(of: "stops", as: .stops, stops.lazy.map(Record.init(stop:)))
    return .success
  }
}
