/// The geometry of a feature, in the units of its layer, from the north-west corner of the tile.
package struct VectorTileGeometry: Hashable, Sendable {
  /// The types of geometries; the raw values come from the specification.
  package enum Kind: UInt64, Hashable, Sendable {
    case unknown, point, line, polygon
  }

  /// A position: to the east, and to the south.
  package struct Point: Hashable, Sendable {
    package var x: Int32
    package var y: Int32
  }

  /// The type.
  package let kind: Kind

  /// The parts: one for all points; one for each line; one for each ring of a polygon, without the
  /// repetition of its first position.
  package private(set) var parts: [[Point]] = []

  init(_ commands: inout VectorTileCommands, _ type: UInt64) throws(VectorTileFault) {
    kind = Kind(rawValue: type) ?? .unknown
    while let step = try commands.next() {
      switch step {
      case .move(let point):
        if kind == .point, !parts.isEmpty {
          parts[parts.count - 1].append(point)
        } else {
          parts.append([point])
        }
      case .line(let point):
        if parts.isEmpty { parts.append([]) }
        parts[parts.count - 1].append(point)
      case .close: break
      }
    }
  }

  /// The polygons: each is an exterior ring, and the rings of its holes.
  ///
  /// The first ring is an exterior one, and so is each that turns the same way: "An exterior ring is
  /// DEFINED as a linear ring having a positive area" (section 4.3.4.4), which older tiles do not
  /// follow. Rings without an area are left out.
  package var polygons: [[[Point]]] {
    var polygons: [[[Point]]] = []
    var isExteriorPositive: Bool?
    for ring in parts {
      let area = Self.doubledArea(ring)
      guard area != 0 else { continue }
      let isExterior = isExteriorPositive.map { $0 == (area > 0) } ?? true
      isExteriorPositive = isExteriorPositive ?? (area > 0)
      if isExterior {
        polygons.append([ring])
      } else {
        polygons[polygons.count - 1].append(ring)
      }
    }
    return polygons
  }

  /// Returns twice the area of a ring; it is positive where the ring turns clockwise as seen.
  package static func doubledArea(_ ring: [Point]) -> Double {
    guard var last = ring.last else { return 0 }
    var sum = 0.0
    for point in ring {
      sum += Double(last.x) * Double(point.y) - Double(point.x) * Double(last.y)
      last = point
    }
    return sum
  }
}
