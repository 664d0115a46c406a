import Foundation
import Holdfast
import HoldfastFiles
import HoldfastInspector
import Synchronization

/// The answers to all requests of the page: see `docs/inspector-api.md`.
final class Inspector: Sendable {
  let inspection: Inspection
  private let pageFiles = PageFiles()
  private let engine = MapEngine(nextTo: Bundle.main.executableURL)
  private let findings: Findings

  /// Prepares to answer.
  init(of inspection: Inspection) {
    self.inspection = inspection
    findings = Findings(
      of: inspection.file == nil ? inspection.container.folder : nil, inspection.verbs)
  }

  /// Ends everything that is under way.
  func close() { inspection.close() }

  /// Returns the answer to `api/overview`: the folder or file, and its items.
  func overview(again: Bool = false) throws -> OutputRecord {
    OutputRecord(inspection, try inspection.survey(again: again), engine)
  }

  /// Answers a request, on the thread of its connection.
  func response(to request: HTTPRequest) -> HTTPResponse {
    do {
      return try answer(request)
    } catch {
      return ErrorStatus.response(to: error)
    }
  }

  private func answer(_ request: HTTPRequest) throws -> HTTPResponse {
    let path = request.path
    switch path.first {
    case "api": return Self.asData(try api(request, Array(path.dropFirst())))
    case "events" where path.count == 1:
      let channel = try inspection.watch(try request.required("database")).channel()
      return ServerSentEvent.response(channel)
    case "tiles" where path.count == 5:
      let answers = try tileset(path[1])
      return Self.asData(try answers.tile(Array(path.dropFirst(2))))
    case "engine" where path.count == 2 && path[1] != "LICENSE.txt":
      if let response = engine.response(to: path[1]) { return response }
    default:
      if request.method == "GET", let response = pageFiles.response(to: path) { return response }
    }
    throw InspectionError.noSuchPath(path)
  }

  /// Adds the policy of what is data, and no part of the page.
  private static func asData(_ response: HTTPResponse) -> HTTPResponse {
    var response = response
    response.headers.append(("Content-Security-Policy", HTTPResponse.dataPolicy))
    return response
  }

  private func api(_ request: HTTPRequest, _ path: [String]) throws -> HTTPResponse {
    guard let noun = path.first, path.count <= 3 else {
      throw InspectionError.noSuchPath(request.path)
    }
    let id = path.count > 1 ? path[1] : ""
    let verb = path.count > 2 ? path[2] : ""
    switch (noun, path.count) {
    case ("overview", 1):
      return HTTPResponse(json: try overview(again: request["refresh"] == "1").json)
    case ("findings", 1):
      let items = try inspection.survey().items
      return HTTPResponse(
        json: findings.answer(again: request["again"] == "1") { Self.link($0, items) })
    case ("database", 2...): return try database(request, id, verb)
    case ("timetable", 2...): return try timetable(request, id, verb)
    case ("tileset", 2): return HTTPResponse(json: try tileset(id).overview().json)
    case ("tileset", 3) where verb == "style":
      return HTTPResponse(json: try tileset(id).style(request))
    case ("tileset", 3) where verb == "check":
      let answers = try tileset(id)
      let record = try inspection.checks.value(of: id) { try answers.check() }
      return HTTPResponse(json: record.json)
    case ("ledger", 2):
      return HTTPResponse(json: try verbAnswers.ledger(inspection.item(id, .ledger)))
    case ("packs", 2):
      return HTTPResponse(json: try verbAnswers.packs(inspection.item(id, .packs)))
    case ("packs", 3) where verb == "verify":
      return HTTPResponse(json: try verbAnswers.verification(inspection.item(id, .packs)))
    default: throw InspectionError.noSuchPath(request.path)
    }
  }

  /// Returns where a finding leads: to the database in which it is, its table, and its row.
  private static func link(
    _ finding: OutputRecord.JSONObject, _ items: [InspectedItem]
  ) -> OutputRecord? {
    guard let file = finding["file"] as? String,
      let item = items.first(where: { $0.kind == .database && $0.name == file })
    else { return nil }
    // A number in JSON, whatever its size.
    let row = (finding["rowid"] as? NSNumber).map { number in
      Cell.text(RowFilter.word("rowid", .eq, "\(number)"))
    }
    return [
      "item": .text(item.id), "table": Cell(finding["table"] as? String),
      "column": Cell(finding["column"] as? String),
      "where": row.map { .list([$0]) } ?? .null,
    ]
  }

  private var verbAnswers: VerbAnswers {
    VerbAnswers(verbs: inspection.verbs, container: inspection.container)
  }

  private func tileset(_ id: String) throws -> TilesetAnswers {
    let item = try inspection.item(id, .tileset)
    return TilesetAnswers(item: item, file: try inspection.tileset(item))
  }

  private func timetable(
    _ request: HTTPRequest, _ id: String, _ verb: String
  ) throws -> HTTPResponse {
    guard (request.method == "POST") == (verb == "realtime") else {
      throw InspectionError.wrongMethod(request.method)
    }
    let item = try inspection.item(id, .timetable)
    let answers = TimetableAnswers(
      item: item, database: try inspection.database(item.database ?? ""),
      live: inspection.liveMessage(of: id))
    let record =
      switch verb {
      case "": try answers.overview()
      case "stops": try answers.stops(request)
      case "lines": try answers.lines()
      case "departures": try answers.departures(request)
      case "journeys": try answers.journeys(request)
      case "realtime": try answers.setLive(request)
      default: throw InspectionError.noSuchPath(request.path)
      }
    return HTTPResponse(json: record.json)
  }

  private func database(_ request: HTTPRequest, _ id: String, _ verb: String) throws -> HTTPResponse
  {
    guard (request.method == "POST") == (verb == "query") else {
      throw InspectionError.wrongMethod(request.method)
    }
    let answers = DatabaseAnswers(database: try inspection.database(id))
    switch verb {
    case "":
      let survey = try inspection.survey()
      let ledger = survey.items.first { $0.kind == .ledger && $0.database == id }?.id
      let record = try answers.overview(inspection.item(id, .database), ledger: ledger)
      return HTTPResponse(json: record.json)
    case "count": return HTTPResponse(json: try answers.count(request).json)
    case "rows": return HTTPResponse(json: try answers.rows(request).json)
    case "row": return HTTPResponse(json: try answers.row(request).json)
    case "cell": return try answers.cell(request)
    case "search": return HTTPResponse(json: try answers.search(request).json)
    case "query": return HTTPResponse(json: try answers.query(request).json)
    case "export": return try answers.export(request)
    default: throw InspectionError.noSuchPath(request.path)
    }
  }
}
