import Foundation
import Holdfast
import HoldfastTransit

/// `holdfast transit days DB [--trip TRIP_ID | --route ROUTE_ID | --service SERVICE_ID]`.
struct TransitDays: Verb {
  private let database = Argument.timetable
  private let trip = Option("--trip", "TRIP_ID", "The days of this trip.", .text)
  private let route = Option("--route", "ROUTE_ID", "The days of any trip of this route.", .text)
  private let service = Option("--service", "SERVICE_ID", "The days of this service.", .text)
  private let first = Option("--from", "DATE", "Lists no day before this one.", .day)
  private let last = Option("--through", "DATE", "Lists no day after this one.", .day)

  var declaration: Declaration {
    Declaration(
      "days", "Lists the days on which a trip, a route, a service or anything runs.", database,
      trip,
      route, service, first, last, example: "harbour.db --route F1 --through 2026-01-31")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let timetable = try Timetable(readingFileAt: arguments[database])
    defer { timetable.reader.closeIgnoringErrors() }
    let (tripID, routeID, serviceID) = (arguments[trip], arguments[route], arguments[service])
    guard [tripID, routeID, serviceID].count(where: { $0 != nil }) <= 1 else {
      throw ToolError.severalSubjects
    }
    let (first, last) = (arguments[first], arguments[last])
    let path = arguments[database].relativePath
    let days = try await timetable.reader.read { db -> [ServiceDay] in
      if let tripID {
        guard
          let days = try ServiceDays(ofTrip: tripID, from: first, through: last).fetchAll(db)
        else { throw ToolError.noTrip(tripID, path) }
        return days
      }
      if let routeID {
        guard let rid = try Route.fetchOne(db, routeID: routeID)?.rid,
          let days = try ServiceDays(ofRoute: rid, from: first, through: last).fetchAll(db)
        else { throw ToolError.noRoute(routeID, path) }
        return days
      }
      guard let serviceID else {
        return try ServiceDays(from: first, through: last).fetchAll(db) ?? []
      }
      guard
        let days = try ServiceDays(ofService: serviceID, from: first, through: last).fetchAll(db)
      else { throw ToolError.noService(serviceID, path) }
      return days
    }
    let records = days.lazy.map { day -> OutputRecord in
      ["date": .text(day.description), "weekday": .text(day.weekdayName)]
    }
    try output.records(of: "days", records)
    return .success
  }
}
