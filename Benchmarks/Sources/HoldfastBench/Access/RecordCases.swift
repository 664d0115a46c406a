import Holdfast

extension AccessCases {
  /// The same work as with statements, with records.
  var records: [Case] {
    [
      insertion("insert, hand-written PersistableRecord", bound: .ratio(1.6).later) { db, places in
        for place in places {
          try PlaceByHand(place: place).insert(db)
        }
      },
      insertion("insert, Codable PersistableRecord", bound: .ratio(2.0).later) { db, places in
        for place in places {
          try place.insert(db)
        }
      },
      lookup("look up by key, fetchOne(db, key:), Codable", \.self, bound: .ratio(1.8)) {
        db, id in
        try Place.fetchOne(db, key: id)
      },
    ]
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
