import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastMaps

/// Functions, the older form of expressions, of which MapLibre Native leaves a layer out or draws it.
@Suite struct StyleFunctionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var value: String
    var isRead: Bool
    var property = "fill-color"

    init(_ value: String, _ isRead: Bool, _ property: String = "fill-color") {
      (self.value, self.isRead, self.property) = (value, isRead, property)
    }

    var testDescription: String { "\(property): \(value)" }

    /// A style that draws a square whose attribute `v` is 5.
    var style: Data {
      Data(
        """
        {"version": 8, "sources": {"s": {"type": "geojson", "data": {"type": "Feature",
          "properties": {"v": 5}, "geometry": {"type": "Polygon",
          "coordinates": [[[-80, -60], [80, -60], [80, 60], [-80, 60], [-80, -60]]]}}}},
        "layers": [
          {"id": "b", "type": "background", "paint": {"background-color": "#ffffff"}},
          {"id": "a", "type": "fill", "source": "s", "paint": {"\(property)": \(value)}}]}
        """.utf8)
    }
  }

  private static func categories(_ inputs: String...) -> String {
    let stops = inputs.map { "[\($0), \"#ff0000\"]" }.joined(separator: ", ")
    return #"{"type": "categorical", "property": "v", "stops": [\#(stops)]}"#
  }

  static let cases = [
    Case(categories("5", "6"), true), Case(categories(#""5""#, #""6""#), true),
    Case(categories("true", "false"), true), Case(categories("5", "5"), true),
    Case(categories("5", #""5""#), false), Case(categories(#""5""#, "5"), false),
    Case(categories("true", "5"), false), Case(categories("null", "5"), false),
    Case(categories("5", "null"), false), Case(categories("[5]", "5"), false),
    Case(categories(#"{"zoom": 0, "value": 5}"#, #"{"zoom": 0, "value": 6}"#), true),
    Case(categories(#"{"zoom": 0, "value": 5}"#, #"{"zoom": 3, "value": "5"}"#), false),
    Case(categories(#"{"zoom": "0", "value": 5}"#), false),
    Case(categories(#"{"zoom": 0}"#), false), Case(categories(#"{"value": 5}"#), false),
    Case(categories(#"{"zoom": 0, "value": 5}"#, "6"), false),
    Case(categories("5", #"{"zoom": 0, "value": 6}"#), false),
    Case(##"{"property": "v", "stops": [[5, "#ff0000"], [6, "#0000ff"]]}"##, true),
    Case(##"{"property": "v", "stops": [["5", "#ff0000"], ["6", "#0000ff"]]}"##, false),
    Case(##"{"type": "interval", "property": "v", "stops": [["5", "#ff0000"]]}"##, false),
    Case(##"{"property": 5, "stops": [[5, "#ff0000"]]}"##, false),
    Case(##"{"property": null, "stops": [[0, "#ff0000"]]}"##, false),
    Case(##"{"stops": [[0, "#ff0000"], [6, "#0000ff"]]}"##, true),
    Case(##"{"stops": [["0", "#ff0000"], [6, "#0000ff"]]}"##, false),
    Case(##"{"type": "interval", "stops": [[0, "#ff0000"]]}"##, true),
    Case(##"{"type": "categorical", "stops": [[0, "#ff0000"]]}"##, false),
    Case(#"{"type": "identity"}"#, false),
    Case(#"{"stops": [[0, true], [5, false]]}"#, true, "fill-antialias"),
    Case(#"{"type": "exponential", "stops": [[0, true], [5, false]]}"#, false, "fill-antialias"),
    Case(#"{"type": "exponential", "stops": [[0, 1], [5, 0.5]]}"#, true, "fill-opacity"),
  ]

  @Test(arguments: cases) func `A layer is left out as MapLibre Native does`(form: Case) throws {
    let found = StyleLayerForm(of: try MapStyle(template: form.style))
    #expect((found.refusals.isEmpty && found.warnings.isEmpty) == form.isRead, "\(found.refusals)")
  }

  @Test(.enabled(if: MapEngine.isInstalled, "\(MapEngine.absence)"), .timeLimit(.minutes(2)))
  func `MapLibre Native draws what is read, and nothing else`() throws {
    let folder = try TemporaryDirectory()
    let session = try MapEngineSession()
    for (number, form) in Self.cases.enumerated() {
      let style = folder.file("\(number).json")
      try form.style.write(to: style)
      let picture = try session.picture(of: "\(number)", style, longitude: 0, latitude: 0)
      #expect((picture.ink > 0.1) == form.isRead, "\(form.testDescription): \(picture)")
    }
  }
}
