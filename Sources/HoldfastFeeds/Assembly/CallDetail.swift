/// What riders see of a call besides its stop and its times: the same for many rows.
struct CallDetail: Hashable {
  /// `pickup_type`, -1 if blank.
  var pickupType: Int8 = -1
  /// `drop_off_type`, -1 if blank.
  var dropOffType: Int8 = -1
  /// `timepoint`, -1 if blank.
  var timepoint: Int8 = -1
  /// `continuous_pickup`, -1 if blank.
  var continuousPickup: Int8 = -1
  /// `continuous_drop_off`, -1 if blank.
  var continuousDropOff: Int8 = -1
  /// The number of `stop_headsign`, -1 if blank.
  var headsign: Int32 = -1
  /// The number of the record of other columns, -1 if all are blank.
  var others: Int32 = -1
  /// `shape_dist_traveled`.
  var distance: Double?
}

/// The details of all calls, each with a number.
struct CallDetails {
  private var numbers: [CallDetail: UInt32] = [:]
  private(set) var values: [CallDetail] = []
  private var last: UInt32?

  /// Returns the number of a detail, which is added if it is new.
  mutating func number(_ detail: CallDetail) -> UInt32 {
    // Most rows have the detail of the row before them.
    if let last, values[Int(last)] == detail { return last }
    let number = numbers[detail] ?? UInt32(values.count)
    if number == values.count {
      numbers[detail] = number
      values.append(detail)
    }
    last = number
    return number
  }
}
