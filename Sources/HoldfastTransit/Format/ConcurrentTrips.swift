import Foundation
import Holdfast

/// The trips of a database, read at once and decoded on several threads.
struct ConcurrentTrips {
  private let rows: ConcurrentMap<Result<[StoredTrip], any Error>>

  /// Reads the rows, which are decoded from then on.
  ///
  /// - Throws: ``TransitError`` for damage; `DatabaseError` when the database cannot be read.
  init(_ tables: TripTables) throws {
    let path = tables.db.path
    let encoded = try tables.encodedTrips()
    rows = ConcurrentMap(encoded.count) { [encoded] number in
      Result {
        do {
          return try StoredTrips(encoded[number].bytes).trips
        } catch {
          throw TransitError.damaged(path: path, table: "dict_trip", row: encoded[number].first)
        }
      }
    }
  }

  /// Takes each trip, once, in the order of the numbers.
  ///
  /// - Throws: ``TransitError`` for damage; whatever the closure throws.
  func forEach(_ body: (StoredTrip) throws -> Void) throws {
    try rows.forEach { for trip in try $0.get() { try body(trip) } }
  }
}
