import HoldfastFiles

/// Finds the texts that the labels of a style write for the features of tiles.
struct LabelExamination {
  private struct Seen: Hashable {
    var values: [StyleJSON]
    var type: UInt64
  }

  /// The number of different features that are remembered for a label, so that equal ones are evaluated once.
  private static let mostSeen = 1 << 15

  private(set) var needs = LabelNeeds()

  private let labels: [String: [StyleLabel]]
  private let deepest: Int?
  private var seen: [String: Set<Seen>] = [:]

  /// Prepares to read tiles.
  ///
  /// - Parameters:
  ///   - labels: The labels that show the tiles.
  ///   - deepest: The zoom level whose tiles are drawn at all deeper ones, too; `nil` when it is not known.
  init(_ labels: [StyleLabel], deepest: Int?) {
    self.labels = Dictionary(grouping: labels, by: \.sourceLayer)
    self.deepest = deepest
  }

  /// Returns what was found since the last call.
  ///
  /// The features that were seen stay known: what they need was returned before.
  mutating func takeNeeds() -> LabelNeeds {
    defer { needs = LabelNeeds() }
    return needs
  }

  /// Reads the features of a layer of a tile.
  mutating func examine(_ layer: VectorTileLayer, atZoom zoom: Int) {
    let isDeepest = deepest.map { zoom >= $0 } ?? true
    let drawn = (labels[layer.name] ?? []).filter {
      $0.isDrawn(fromZoom: zoom, isDeepest: isDeepest)
    }
    guard !drawn.isEmpty else { return }
    do throws(VectorTileFault) {
      for index in 0..<layer.featureCount {
        let (type, attributes) = try layer.attributes(at: index)
        var values: [String: StyleJSON] = [:]
        for attribute in attributes { values[attribute.key] = StyleJSON(attribute.value) }
        for label in drawn { add(values, type, label) }
      }
    } catch _ {
      // Another examination names the tile that cannot be read.
    }
  }

  private mutating func add(_ values: [String: StyleJSON], _ type: UInt64, _ label: StyleLabel) {
    if let names = label.attributes, seen[label.layer, default: []].count < Self.mostSeen {
      // An attribute that is absent differs from one that is null.
      let known = names.map { values[$0] ?? .object([:]) }
      guard seen[label.layer, default: []].insert(Seen(values: known, type: type)).inserted else {
        return
      }
    }
    let kinds = ["Point", "LineString", "Polygon"]
    let name = (1...3).contains(type) ? kinds[Int(type) - 1] : nil
    needs.add(StyleFeature(values, geometryType: name), label)
  }
}

extension LabelNeeds {
  /// Adds the texts that labels write for GeoJSON.
  ///
  /// - SeeAlso: RFC 7946
  mutating func add(geoJSON value: StyleJSON, _ labels: [StyleLabel]) {
    guard case .object(let members) = value else { return }
    for feature in members["features"]?.elements ?? [] { add(geoJSON: feature, labels) }
    var feature = StyleFeature()
    switch members["type"]?.text {
    case nil, "FeatureCollection": break
    case "Feature":
      if case .object(let properties)? = members["properties"] { feature.attributes = properties }
      add(geometry: members["geometry"] ?? .null, of: feature, labels)
    // A geometry alone is a feature without attributes.
    default: add(geometry: value, of: feature, labels)
    }
  }

  private mutating func add(
    geometry: StyleJSON, of feature: StyleFeature, _ labels: [StyleLabel]
  ) {
    var feature = feature
    if case .object(let members) = geometry, let type = members["type"]?.text {
      if type == "GeometryCollection" {
        for part in members["geometries"]?.elements ?? [] {
          add(geometry: part, of: feature, labels)
        }
        return
      }
      feature.geometryType = type.replacing("Multi", with: "")
    }
    for label in labels { add(feature, label) }
  }
}

extension StyleJSON {
  /// The number of features of GeoJSON that are points.
  var pointCount: Int {
    guard case .object(let members) = self else { return 0 }
    return (members["features"]?.elements ?? []).count { feature in
      guard case .object(let members) = feature, case .object(let geometry)? = members["geometry"]
      else { return false }
      return geometry["type"]?.text == "Point"
    }
  }
}

extension LabelNeeds {
  /// Adds the texts that labels write for the clusters into which points of GeoJSON are joined.
  ///
  /// - Parameters:
  ///   - pointCount: The number of points, which a cluster has at most.
  ///   - sums: The names of further attributes, which are calculated from those of the points.
  ///   - labels: The labels that show the source.
  /// - SeeAlso: <https://maplibre.org/maplibre-style-spec/sources/#cluster>
  mutating func addClusters(of pointCount: Int, _ sums: [String], _ labels: [StyleLabel]) {
    // One for each length of the count, and of its short form: 2, 10, …, 1k, …
    var count = 2
    while count <= pointCount {
      var attributes: [String: StyleJSON] = [
        "cluster": .bool(true), "cluster_id": .number(1), "point_count": .number(Double(count)),
        "point_count_abbreviated": .text(count < 1000 ? "\(count)" : "\(count / 1000).5k"),
      ]
      for name in sums { attributes[name] = .number(Double(count)) }
      for label in labels { add(StyleFeature(attributes, geometryType: "Point"), label) }
      count = count == 2 ? 10 : count * 10
    }
  }
}
