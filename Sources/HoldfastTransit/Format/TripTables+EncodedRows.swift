import Foundation
import Holdfast

extension TripTables {
  /// A row of the table `patterns` before it is decoded.
  struct EncodedPattern: FetchableRecord, Identifiable, Sendable {
    let pid: Int64
    let rid: Int64
    let directionID: Int16?
    let calls, timings, runs: [UInt8]

    var id: Int64 { pid }

    init(row: Row) throws {
      (pid, rid) = (try row.decode(atIndex: 0), try row.decode(atIndex: 1))
      directionID = try row.decode(atIndex: 2)
      calls = try row.bytes(atIndex: 3)
      timings = try row.bytes(atIndex: 4)
      runs = try row.bytes(atIndex: 5)
    }
  }

  /// A row with many trips or texts before it is decoded.
  struct EncodedBlock {
    /// The number of the first one.
    let first: Int64
    let bytes: [UInt8]
  }

  /// A row of the table `services` before it is decoded.
  struct EncodedService: FetchableRecord, Identifiable {
    let number: Int32
    let serviceID: String
    let weekdays: UInt8?
    let startDate: Int?
    let endDate: Int?
    let others: Int32
    let exceptions: [UInt8]?

    var id: Int64 { Int64(number) }

    init(row: Row) throws {
      (number, serviceID) = (try row.decode(atIndex: 0), try row.decode(atIndex: 1))
      weekdays = try row.decode(atIndex: 2)
      (startDate, endDate) = (try row.decode(atIndex: 3), try row.decode(atIndex: 4))
      others = try row.decode(atIndex: 5)
      exceptions = row.hasNull(atIndex: 6) ? nil : try row.bytes(atIndex: 6)
    }

    /// Decodes the row.
    ///
    /// - Throws: `DamagedBytes`, also when there are more exceptions than a limit.
    func service(exceptionsAtMost limit: Int) throws(DamagedBytes) -> Service {
      var days: [StoredExceptions.Exception] = []
      if let exceptions {
        days = try StoredExceptions(exceptions, atMost: limit).exceptions
      }
      return Service(
        number: number, serviceID: serviceID, weekdays: weekdays, startDate: startDate,
        endDate: endDate, others: others,
        stored: StoredService(
          weekdays: weekdays ?? 0, days: try dates, exceptions: days))
    }

    /// The days between the two dates; `nil` when there are none, as for dates in reverse order.
    private var dates: ClosedRange<ServiceDay>? {
      get throws(DamagedBytes) {
        guard let startDate, let endDate else { return nil }
        guard let first = ServiceDay(number: startDate), let last = ServiceDay(number: endDate)
        else { throw DamagedBytes() }
        return first <= last ? first...last : nil
      }
    }
  }
}

extension Row {
  /// Returns the bytes of a blob.
  func bytes(atIndex index: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    if appendBlob(atIndex: index, to: &bytes) { return bytes }
    return Array(try decode(Data.self, atIndex: index))
  }
}
