import Holdfast

/// The trips that `transfers.txt` names, by their `trip_id`.
struct TransferTrips {
  private var trips: [ExactText: StoredTrip] = [:]

  subscript(tripID: String) -> StoredTrip? { trips[ExactText(tripID)] }

  init(_ tripIDs: Set<ExactText>, _ tables: TripTables) throws {
    guard tripIDs.count > Self.few else {
      for tripID in tripIDs { trips[tripID] = try tables.trip(tripID.text) }
      return
    }
    // One pass in place of a statement and a decoded block for each.
    let sorted = tripIDs.sorted()
    try tables.forEachTrip(inBlocksWhere: { least, greatest in
      var (low, high) = (0, sorted.count)
      while low < high {
        let middle = (low + high) / 2
        if sorted[middle] < least { low = middle + 1 } else { high = middle }
      }
      return low < sorted.count && !(greatest < sorted[low])
    }) { trip in
      let tripID = ExactText(trip.tripID)
      if tripIDs.contains(tripID) { trips[tripID] = trip }
    }
  }

  private static let few = 16
}
