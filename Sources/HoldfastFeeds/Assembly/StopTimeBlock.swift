import HoldfastTransit

/// The rows of a block of `stop_times.txt` in numbers.
struct StopTimeBlock: Sendable {
  /// One call for each row.
  ///
  /// A row that has a flaw, or that must be reported, is not read.
  var calls: [FeedCall] = []
  /// The texts that the numbers of `stop_headsign` mean here; `nil` if there are none.
  var headsigns: InternTable<UInt8>?
  /// The records that the numbers of other columns mean here.
  var others = OtherColumns()
}

/// A converter of blocks of `stop_times.txt`, which several threads use at the same time.
///
/// It allocates nothing per row: this file has by far the most rows.
struct StopTimeConverter: Sendable {
  let columns: StopTimeTable.Columns
  /// The `trip_id`s and `stop_id`s, numbered like the trips and stops.
  let trips, stops: InternTable<UInt8>
  /// The other columns, without records.
  let others: OtherColumns

  func convert(_ rows: CSVRows) -> StopTimeBlock {
    rows.withFields { convert($0, firstLine: rows.firstLine) } ?? StopTimeBlock()
  }

  // MARK: Rows

  /// The values that carry over from row to row.
  private struct State {
    /// A stop that occurred in the block: where its identifier is, and its number.
    struct Place {
      var start: UInt32 = 0
      var count = UInt32.max
      var stop: UInt32 = 0
    }

    var block = StopTimeBlock()
    var tripStart = 0
    var tripCount = -1
    var trip: UInt32 = 0
    var places = [Place](repeating: Place(), count: 4096)
  }

  private func convert(_ fields: CSVFields, firstLine: Int) -> StopTimeBlock {
    var state = State()
    state.block.others = others
    state.block.calls.reserveCapacity(fields.rowCount)
    for row in 0..<fields.rowCount {
      var call = FeedCall()
      if fields.count(row) == columns.count, !fields.hasFlaw(row) {
        let first = fields.first(row)
        if read(fields, first, &state, &call) {
          call.trip = state.trip
          call.line = firstLine + fields.line(row)
        }
      }
      state.block.calls.append(call)
    }
    return state.block
  }

  /// Reads a row, and returns whether nothing of it is to be reported.
  private func read(
    _ fields: CSVFields, _ first: Int, _ state: inout State, _ call: inout FeedCall
  ) -> Bool {
    guard findTrip(fields, first + columns.trip, &state),
      let stop = stop(fields, first, &state),
      let sequence = unsafe FastNumbers.integer(fields[first + columns.sequence]),
      let arrival = time(fields, first, columns.arrival),
      let departure = time(fields, first, columns.departure)
    else { return false }
    (call.stop, call.sequence, call.arrival, call.departure) = (stop, sequence, arrival, departure)
    guard let pickup = choice(fields, first, columns.pickup, 3),
      let dropOff = choice(fields, first, columns.dropOff, 3),
      let timepoint = choice(fields, first, columns.timepoint, 1),
      let continuousPickup = choice(fields, first, columns.continuousPickup, 3),
      let continuousDropOff = choice(fields, first, columns.continuousDropOff, 3)
    else { return false }
    call.detail.pickupType = pickup
    call.detail.dropOffType = dropOff
    call.detail.timepoint = timepoint
    call.detail.continuousPickup = continuousPickup
    call.detail.continuousDropOff = continuousDropOff
    for window in columns.windows where !fields.isBlank(first + window) {
      call.detail.hasWindow = true
    }
    if let distance = columns.distance, !fields.isBlank(first + distance) {
      guard let number = unsafe FastNumbers.decimal(fields[first + distance]) else { return false }
      // Zero has one sign, so that equal values are equal texts.
      call.detail.distance = number == 0 ? 0 : number
    }
    if let headsign = columns.headsign, !fields.isBlank(first + headsign) {
      if state.block.headsigns == nil { state.block.headsigns = InternTable() }
      let text = unsafe fields[first + headsign]
      call.detail.headsign = unsafe Int32(state.block.headsigns?.insert(all: text).number ?? 0)
    }
    call.detail.others = state.block.others.number(fields, first)
    return true
  }

  private func findTrip(_ fields: CSVFields, _ field: Int, _ state: inout State) -> Bool {
    let id = unsafe fields[field]
    // Most rows have the trip of the row before them.
    if id.count == state.tripCount,
      unsafe RawBytes.areEqual(
        UnsafeRawBufferPointer(id),
        UnsafeRawBufferPointer(fields.bytes(at: state.tripStart, id.count)))
    {
      return true
    }
    // Trips mostly follow each other as in their own file.
    let next = state.tripCount < 0 ? trips.count : Int(state.trip) + 1
    if next < trips.count, unsafe trips.isEqual(next, all: id) {
      state.trip = UInt32(next)
    } else {
      guard let number = unsafe trips.number(ofAll: id) else { return false }
      state.trip = UInt32(number)
    }
    (state.tripStart, state.tripCount) = (fields.start(field), id.count)
    return true
  }

  private func stop(_ fields: CSVFields, _ first: Int, _ state: inout State) -> UInt32? {
    guard let column = columns.stop, !fields.isBlank(first + column) else {
      let isArea = columns.areas.contains { !fields.isBlank(first + $0) }
      return isArea ? TripAssembler.area : nil
    }
    let field = first + column
    let id = unsafe fields[field]
    // The trips of a route are next to each other and call at few stops.
    let hash = unsafe RawBytes.hash(UnsafeRawBufferPointer(id), seed: 0)
    let slot = Int(truncatingIfNeeded: hash & 4095)
    let place = state.places[slot]
    if Int(place.count) == id.count,
      unsafe RawBytes.areEqual(
        UnsafeRawBufferPointer(id),
        UnsafeRawBufferPointer(fields.bytes(at: Int(place.start), id.count)))
    {
      return place.stop
    }
    guard let number = unsafe stops.number(ofAll: id) else { return nil }
    state.places[slot] = State.Place(
      start: UInt32(fields.start(field)), count: UInt32(id.count), stop: UInt32(number))
    return UInt32(number)
  }

  private func time(_ fields: CSVFields, _ first: Int, _ column: Int?) -> Int32? {
    guard let column, !fields.isBlank(first + column) else { return TimetableContent.Timing.blank }
    return unsafe FastNumbers.seconds(fields[first + column])
  }

  /// Returns the value of a column of small numbers, -1 if it is blank.
  private func choice(_ fields: CSVFields, _ first: Int, _ column: Int?, _ last: UInt8) -> Int8? {
    guard let column else { return -1 }
    let text = unsafe fields[first + column]
    if text.isEmpty { return -1 }
    let digit = unsafe text[0] &- 0x30
    return text.count == 1 && digit <= last ? Int8(digit) : nil
  }
}
