import Testing

@testable import HoldfastMaps

/// GeoJSON of which MapLibre Native said that it draws it, or nothing of it.
@Suite struct GeoJSONFormTests {
  private func fault(in text: String) throws -> String? {
    GeoJSONForm.fault(in: try JSONDocument(Array(text.utf8)))
  }

  @Test(arguments: [
    #"{"type": "Point", "coordinates": [0, 0, 5]}"#,
    #"{"type": "Feature", "geometry": null}"#,
    #"{"type": "Feature", "id": 5, "properties": null, "geometry": null}"#,
    #"{"type": "Polygon", "coordinates": []}"#,
    #"{"type": "GeometryCollection", "geometries": []}"#,
    #"{"type": "FeatureCollection", "features": []}"#,
    #"{"type": "MultiPoint", "coordinates": [[0, 0]]}"#,
  ]) func `It is drawn`(text: String) throws {
    #expect(try fault(in: text) == nil)
  }

  @Test(arguments: [
    ("[]", "no JSON object"), ("{}", "no 'type'"), (#"{"type": "Topology"}"#, "no type 'Topology'"),
    (#"{"type": "FeatureCollection"}"#, "its 'features' are no list"),
    (#"{"type": "Feature", "properties": {}}"#, "in line 1 has no 'geometry'"),
    (
      """
      {"type": "FeatureCollection", "features": [
        {"type": "Feature", "geometry": null},
        {"type": "Point", "coordinates": [0, 0]}]}
      """, "the feature in line 3 does not have the type 'Feature'"
    ),
    (#"{"type": "Feature", "id": null, "geometry": null}"#, "'id' that is no text and no number"),
    (#"{"type": "Feature", "geometry": null, "properties": []}"#, "'properties' that are no"),
    (#"{"type": "Point", "coordinates": [1]}"#, "the 'coordinates' of a 'Point'"),
    (#"{"type": "LineString", "coordinates": [[0, 0]]}"#, "the 'coordinates' of a 'LineString'"),
    (#"{"type": "MultiLineString", "coordinates": [[[0, 0]]]}"#, "of a 'MultiLineString'"),
    (#"{"type": "Polygon", "coordinates": [[]]}"#, "the 'coordinates' of a 'Polygon'"),
    (#"{"type": "Polygon", "coordinates": [[0, 0], [1, 1]]}"#, "the 'coordinates' of a 'Polygon'"),
    (#"{"type": "GeometryCollection"}"#, "no list 'geometries'"),
  ]) func `One fault hides all of it`(text: String, words: String) throws {
    #expect(try fault(in: text)?.contains(words) == true)
  }
}
