// The Swift of the transit app's plan (its three files), with `import Holdfast` in place of
// `import GRDB`. Where it does not compile with GRDB either, REQUIREMENTS ST-B8 says so, and a
// comment with that name marks the repair. It lies in a namespace, because the app's names are
// also names of Foundation.

import Foundation
import Holdfast

enum Seed {
  // MARK: - Core/Database/DatabaseManager.swift

  @MainActor
  class DatabaseManager {
    static let shared = DatabaseManager()

    private let dbQueue: DatabaseQueue

    private init() {
      do {
        // Get bundle path
        guard let path = Bundle.main.path(forResource: "gtfs", ofType: "db") else {
          fatalError("gtfs.db not found in bundle")
        }

        // Read-only configuration
        var config = Configuration()
        config.readonly = true
        // ST-B8: the busy mode belongs to the configuration; a Database has none.
        config.busyMode = .timeout(5.0)

        // Open database
        dbQueue = try DatabaseQueue(path: path, configuration: config)

        Logger.app.info("database_loaded", path: path)

        // Validate database
        try dbQueue.read { db in
          let count = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM stops") ?? 0
          Logger.app.info("database_validated", stops_count: count)
        }
      } catch {
        Logger.app.error("database_init_failed", error: error.localizedDescription)
        fatalError("Failed to initialize database: \\(error)")
      }
    }

    // Read-only access
    func read<T>(_ block: (Database) throws -> T) throws -> T {
      return try dbQueue.read(block)
    }
  }

  // MARK: - Data/Models/Stop.swift

  struct Stop: Codable, FetchableRecord, Identifiable {
    var id: Int { sid }

    let sid: Int
    let stopCode: String?
    let stopName: String
    let stopLat: Double
    let stopLon: Double
    let wheelchairBoarding: Int?

    enum CodingKeys: String, CodingKey {
      case sid
      case stopCode = "stop_code"
      case stopName = "stop_name"
      case stopLat = "stop_lat"
      case stopLon = "stop_lon"
      case wheelchairBoarding = "wheelchair_boarding"
    }

    // FTS5 search (sanitized)
    static func search(_ db: Database, query: String) throws -> [Stop] {
      // Sanitize query (remove FTS5 special chars)
      let sanitized =
        query
        .replacingOccurrences(of: "\"", with: "")
        .replacingOccurrences(of: "*", with: "")
        .replacingOccurrences(of: "OR", with: "")
        .replacingOccurrences(of: "AND", with: "")
        .trimmingCharacters(in: .whitespaces)

      guard !sanitized.isEmpty else { return [] }

      // FTS5 MATCH query
      let sql = """
            SELECT s.*
            FROM stops s
            JOIN stops_fts fts ON s.sid = fts.sid
            WHERE stops_fts MATCH ?
            LIMIT 50
        """

      return try Stop.fetchAll(db, sql: sql, arguments: [sanitized + "*"])
    }

    // Get stop by ID
    static func fetchByID(_ db: Database, sid: Int) throws -> Stop? {
      return try Stop.fetchOne(db, sql: "SELECT * FROM stops WHERE sid = ?", arguments: [sid])
    }

    // Lookup stop_id from dict
    static func fetchByStopID(_ db: Database, stopID: String) throws -> Stop? {
      let sql = """
            SELECT s.*
            FROM stops s
            JOIN dict_stop d ON s.sid = d.sid
            WHERE d.stop_id = ?
        """
      return try Stop.fetchOne(db, sql: sql, arguments: [stopID])
    }
  }

  // MARK: - Data/Models/Route.swift

  struct Route: Codable, FetchableRecord, Identifiable {
    var id: Int { rid }

    let rid: Int
    let routeShortName: String
    let routeLongName: String
    let routeType: Int
    let routeColor: String?
    let routeTextColor: String?

    enum CodingKeys: String, CodingKey {
      case rid
      case routeShortName = "route_short_name"
      case routeLongName = "route_long_name"
      case routeType = "route_type"
      case routeColor = "route_color"
      case routeTextColor = "route_text_color"
    }

    // Route type enum
    var type: RouteType {
      return RouteType(rawValue: routeType) ?? .unknown
    }

    // Fetch all routes
    static func fetchAll(_ db: Database) throws -> [Route] {
      return try Route.fetchAll(db, sql: "SELECT * FROM routes ORDER BY route_short_name")
    }

    // Fetch by type
    static func fetchByType(_ db: Database, type: RouteType) throws -> [Route] {
      return try Route.fetchAll(
        db, sql: "SELECT * FROM routes WHERE route_type = ? ORDER BY route_short_name",
        arguments: [type.rawValue])
    }
  }

  enum RouteType: Int, CaseIterable {
    case tram = 0
    case metro = 1
    case rail = 2
    case bus = 3
    case ferry = 4
    case cableTram = 5
    case aerialLift = 6
    case funicular = 7
    case unknown = -1

    var displayName: String {
      switch self {
      case .tram: return "Tram"
      case .metro: return "Metro"
      case .rail: return "Train"
      case .bus: return "Bus"
      case .ferry: return "Ferry"
      case .cableTram: return "Cable Tram"
      case .aerialLift: return "Aerial Lift"
      case .funicular: return "Funicular"
      case .unknown: return "Unknown"
      }
    }

    var color: Color {
      switch self {
      // ST-B8: the case is called `rail`; there is no `train`.
      case .rail: return .red
      case .metro: return .purple
      case .bus: return .blue
      case .ferry: return .green
      case .tram: return .orange
      default: return .gray
      }
    }
  }
}

// MARK: - What the app has around it

extension Seed {
  /// ST-B8: SwiftUI's `Color`, which the app's file does not import.
  enum Color {
    case red, purple, blue, green, orange, gray
  }

  /// ST-B8: the app's `Logger.app`, whose calls are those of no logging library.
  struct Logger {
    static let app = Logger()

    func info(_ event: String, path: String) {}
    func info(_ event: String, stops_count: Int) {}
    func error(_ event: String, error: String) {}
  }

  /// The app's bundle: the database in it is imported from the sample.
  struct Bundle {
    static let main = Bundle()

    func path(forResource name: String, ofType type: String) -> String? {
      SeedBundle.path(of: "\(name).\(type)")
    }
  }
}
