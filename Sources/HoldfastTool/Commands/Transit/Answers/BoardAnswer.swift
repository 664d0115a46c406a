import Foundation
import HoldfastTransit

/// A departure or an arrival with what live data say of it besides its times.
struct BoardAnswer<Call: BoardCall & Sendable>: Sendable {
  let call: Call
  let alerts: [Alert]
  let vehicle: VehiclePosition?
}

/// Alerts in the language of the command line, each once.
struct AlertTexts {
  private let alerts: [Alert]
  private let languages: [String]
  private let withEntities: Bool

  /// Creates the texts of alerts.
  ///
  /// - Parameters:
  ///   - alerts: The alerts.
  ///   - languages: The languages, the best one first.
  ///   - withEntities: Whether they say what the alerts are about.
  init(_ alerts: [Alert], in languages: [String], withEntities: Bool = false) {
    var seen: Set<Alert> = []
    self.alerts = alerts.filter { seen.insert($0).inserted }
    (self.languages, self.withEntities) = (languages, withEntities)
  }

  /// A line for each alert.
  var lines: [String] {
    alerts.map { alert in
      let text =
        alert.headerText?.text(in: languages) ?? alert.descriptionText?.text(in: languages)
        ?? alert.id
      let url = alert.url?.text(in: languages).map { " \($0)" } ?? ""
      let subject = withEntities ? alert.subject.map { " about \($0)" } ?? "" : ""
      return "Alert\(alert.effect.map { " (\($0))" } ?? "")\(subject): \(text)\(url)"
    }
  }

  /// A record for each alert, with the names of GTFS-Realtime.
  var records: [OutputRecord] {
    alerts.map { alert in
      var record: OutputRecord = [
        "id": .text(alert.id),
        "cause": Cell(alert.cause),
        "effect": Cell(alert.effect),
        "severity_level": Cell(alert.severityLevel),
        "header_text": Cell(alert.headerText?.text(in: languages)),
        "description_text": Cell(alert.descriptionText?.text(in: languages)),
        "url": Cell(alert.url?.text(in: languages)),
        "active_period": Self.cell(alert.activePeriods),
        "communication_period": Self.cell(alert.communicationPeriods),
        "impact_period": Self.cell(alert.impactPeriods),
      ]
      if withEntities {
        let entities = alert.informedEntities.map { Cell.record(OutputRecord(entity: $0)) }
        record.fields += (["informed_entity": .list(entities)] as OutputRecord).fields
      }
      return record
    }
  }

  private static func cell(_ periods: [Alert.ActivePeriod]) -> Cell {
    .list(
      periods.map { period in
        .record([
          "start": Cell(period.start?.timestamp(in: .gmt)),
          "end": Cell(period.end?.timestamp(in: .gmt)),
        ])
      })
  }
}

extension VehiclePosition {
  /// Where the vehicle is: at a stop, or else the position.
  private var place: String? {
    if let stop = stopID ?? currentStopSequence.map({ "stop_sequence \($0)" }) {
      return "\(currentStatus ?? "IN_TRANSIT_TO") \(stop)"
    }
    // Messages have them with seven digits.
    return latitude.flatMap { latitude in
      longitude.map { "at \(Float(latitude)),\(Float($0))" }
    }
  }

  /// How full the vehicle is, or else its carriages.
  private var occupancy: String? {
    func words(_ status: String?, _ percentage: Int?) -> String? {
      let words = [status, percentage.map { "\($0) %" }].compactMap(\.self)
      return words.isEmpty ? nil : words.joined(separator: ", ")
    }
    if let words = words(occupancyStatus, occupancyPercentage) { return words }
    let parts = carriages.enumerated().compactMap { index, carriage in
      words(carriage.occupancyStatus, carriage.occupancyPercentage).map {
        "carriage \(carriage.label ?? "\(carriage.sequence ?? index + 1)") \($0)"
      }
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  fileprivate var saysMoreThanItsTrip: Bool { place != nil || occupancy != nil }

  /// A line about the vehicle: where it is, and how full.
  var line: String {
    let parts = [trip?.name, place, occupancy].compactMap(\.self)
    let name = "Vehicle \(vehicle?.label ?? vehicle?.id ?? id)"
    return parts.isEmpty ? name : "\(name): \(parts.joined(separator: ", "))"
  }
}

extension Output {
  /// Says where vehicles are, and how full, each once.
  func note(_ vehicles: [VehiclePosition]) {
    var known: Set<VehiclePosition> = []
    for vehicle in vehicles where known.insert(vehicle).inserted && vehicle.saysMoreThanItsTrip {
      note(vehicle.line)
    }
  }
}

extension OutputRecord {
  /// Creates the part of a departure or an arrival that only live data have.
  init(liveOf answer: BoardAnswer<some BoardCall>, in languages: [String]) {
    self = [
      "alerts": .list(AlertTexts(answer.alerts, in: languages).records.map(Cell.record)),
      "vehicle_position": Cell(answer.vehicle.map(OutputRecord.init(vehicle:))),
    ]
  }

  /// Creates the record of a vehicle position, with the names of GTFS-Realtime.
  init(vehicle position: VehiclePosition) {
    self = [
      "id": .text(position.id),
      "vehicle_id": Cell(position.vehicle?.id),
      "label": Cell(position.vehicle?.label),
      "stop_id": Cell(position.stopID),
      "current_stop_sequence": Cell(position.currentStopSequence),
      "current_status": Cell(position.currentStatus),
      "occupancy_status": Cell(position.occupancyStatus),
      "occupancy_percentage": Cell(position.occupancyPercentage),
      "latitude": Cell(position.latitude),
      "longitude": Cell(position.longitude),
      "timestamp": Cell(position.timestamp?.timestamp(in: .gmt)),
      "multi_carriage_details": .list(
        position.carriages.map { carriage in
          .record([
            "label": Cell(carriage.label),
            "carriage_sequence": Cell(carriage.sequence),
            "occupancy_status": Cell(carriage.occupancyStatus),
            "occupancy_percentage": Cell(carriage.occupancyPercentage),
          ])
        }),
    ]
  }
}
