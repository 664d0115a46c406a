import Holdfast

extension AccessCases {
  /// The same work as with statements, with records.
  var records: [Case] {
    [
      insertion("insert, hand-written PersistableRecord", bound: handWritten) { db, places in
        for place in places {
          try PlaceByHand(place: place).insert(db)
        }
      },
      insertion("insert, Codable PersistableRecord", bound: codable) { db, places in
        for place in places {
          try place.insert(db)
        }
      },
      // More than 1.5, because the standard library makes a container for each record.
      lookup("look up by key, fetchOne(db, key:), Codable", \.self, bound: .ratio(1.8)) {
        db, id in
        try Place.fetchOne(db, key: id)
      },
    ]
  }

  // Instructions per row as counted by callgrind, ours and C's, with 10 000 rows.

  private var handWritten: Bound {
    .ratio(1.6).unreached(
      "each column's name is compared with the last record's, and the values are copied once",
      profile: """
        8035 instructions to C's 5245, in time 1.57 to 1.67: 1883 the library, of which placing \
        six values by name about 780; 676 retaining, releasing and allocating, 248 copying the \
        record; SQLite itself 4476 to 4482
        """)
  }

  private var codable: Bound {
    .ratio(2.0).unreached(
      "the standard library makes a container for each record and asks its box for each value",
      profile: """
        10731 instructions to C's 5245: 1190 making and releasing the container, of which 627 \
        looking up generic types; 1990 the six values through the box and into their places; \
        3080 the rest, as with a hand-written record; SQLite itself 4475 to 4482
        """)
  }
}

extension Place: PersistableRecord {
  static let databaseTableName = "place"
}

/// A place encoded column by column.
struct PlaceByHand: PersistableRecord {
  static let databaseTableName = "place"

  let place: Place

  func encode(to container: inout PersistenceContainer) {
    container["id"] = place.id
    container["name"] = place.name
    container["code"] = place.code
    container["lat"] = place.lat
    container["lon"] = place.lon
    container["flag"] = place.flag
  }
}
