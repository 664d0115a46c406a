import CFloor
import SwiftFloor

/// What plain Swift over SQLite's C interface costs, compared with C.
///
/// No library in Swift can be faster, so these are what a bound near C has to be read beside.
struct PlainSwiftCases {
  private let places: [PlainPlace]
  private let floorPlaces: FloorPlaces
  private let ids: [Int64]
  private let empty: PlaceFile
  private let full: ReadFile

  init(_ places: [Place]) throws {
    self.places = places.map {
      PlainPlace(
        id: $0.id, name: $0.name, code: $0.code, lat: $0.lat, lon: $0.lon, flag: $0.flag)
    }
    floorPlaces = FloorPlaces(places)
    ids = places.indices.map { Int64($0 * 2_654_435_761 % places.count) + 1 }
    empty = try PlaceFile()
    full = try ReadFile(places)
  }

  var all: [Case] {
    get throws {
      let reader = try connection(full.path, full.settings)
      let writer = try connection(empty.path, empty.settings)
      return [
        sum("two columns by index", CursorCases.two, FLOOR_TWO, reader.sumOfTwoColumns),
        sum("records, loop", Place.selection, FLOOR_PLACE, reader.sumOfPlaces),
        scan(reader), lookup(reader),
        insertion("insert, typed values") { writer.insert($0, Place.insertion) },
        insertion("insert, literal of any values") { writer.insertBoxed($0, Place.insertion) },
      ]
    }
  }

  private func connection(_ path: String, _ settings: String) throws -> PlainConnection {
    guard let connection = PlainConnection(path: path, settings: settings) else {
      throw BenchmarkError.floor("open", message: path)
    }
    return connection
  }

  private func sum(
    _ name: String, _ sql: String, _ work: floor_work, _ sum: @escaping (String) -> UInt64?
  ) -> Case {
    plain(
      name, count: places.count, floor: full.floorProbe(sql, work)
    ) {
      guard let sum = sum(sql) else { return nil }
      return { sum }
    }
  }

  private func scan(_ reader: PlainConnection) -> Case {
    plain(
      "scan into an array", count: places.count,
      floor: .timed(per: places.count) {
        let places = try full.places.floor.scan()
        return { places.digest }
      }
    ) {
      guard let places = reader.places(Place.selection) else { return nil }
      return { digest(of: places) }
    }
  }

  private func lookup(_ reader: PlainConnection) -> Case {
    plain(
      "look up by key", count: ids.count,
      floor: .timed(per: ids.count) {
        let places = try full.places.floor.lookUp(ids)
        return { places.digest }
      }
    ) {
      guard let places = reader.places(Place.lookup, ids: ids) else { return nil }
      return { digest(of: places) }
    }
  }

  private func insertion(_ name: String, _ insert: @escaping ([PlainPlace]) -> Bool) -> Case {
    plain(
      name, count: places.count,
      floor: .timed(per: places.count) {
        try empty.floor.insert(floorPlaces)
        return empty.takeAll
      }
    ) {
      guard insert(places) else { return nil }
      return empty.takeAll
    }
  }

  private func plain(
    _ name: String, count: Int, floor: Probe,
    _ work: @escaping () -> (() throws -> UInt64)?
  ) -> Case {
    Case(
      "plain Swift without a library: " + name, unit: "ns/row", bound: nil,
      ours: .timed(per: count) {
        guard let proof = work() else { throw BenchmarkError.floor(name, message: "plain Swift") }
        return proof
      }, floor: floor)
  }

  private func digest(of places: [PlainPlace]) -> UInt64 {
    PlaceDigest(
      places.lazy.map {
        Place(id: $0.id, name: $0.name, code: $0.code, lat: $0.lat, lon: $0.lon, flag: $0.flag)
      }
    ).value
  }
}
