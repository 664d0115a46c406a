import Foundation

/// A small style template of our own.
enum SampleStyle {
  /// Returns a template; each part is JSON.
  static func template(
    url: String = #""mbtiles://{{mbtiles_path}}""#, extra: String = "", name: String = "fair"
  ) -> Data {
    Data(
      """
      {
        "version": 8,
        "name": "\(name)",
        "zoom": 14.23063189341900, "pitch" : 3.50e0,
        "sources": {"fair": {"type": "vector", "url": \(url)}},
        \(extra)
        "layers": [{"id": "ground", "type": "background"},
          {"id": "paths", "type": "line", "source": "fair", "source-layer": "paths"}]
      }

      """.utf8)
  }
}
