import Foundation
import Testing

@testable import HoldfastMaps

/// Layers of which MapLibre Native said that it reads or leaves them out, with a style that had all of them.
@Suite struct StyleLayerFormTests {
  private func form(_ layers: String) throws -> StyleLayerForm {
    StyleLayerForm(
      of: try MapStyle(
        template: Data(#"{"version": 8, "sources": {"s": {}}, "layers": [\#(layers)]}"#.utf8)))
  }

  /// Whether all versions read a layer.
  private func isRead(_ layer: String) throws -> Bool {
    let form = try form(layer)
    return form.refusals.isEmpty && form.warnings.isEmpty
  }

  @Test(arguments: [
    (#""type": "line", "source": "s""#, true), (#""type": "background""#, true),
    (#""source": "s""#, false), (#""type": "sky", "source": "s""#, false),
    (#""type": "line""#, false), (#""type": "line", "source": "s", "minzoom": "3""#, false),
    (#""type": "line", "source": "s", "source-layer": null"#, false),
    (#""type": "line", "source": "s", "paint": null"#, false),
    (#""type": "line", "source": "s", "paint": {"line-colour": "red"}"#, false),
    (#""type": "line", "source": "s", "paint": {"fill-color": "red"}"#, false),
    (#""type": "line", "source": "s", "paint": {"line-emissive-strength": 1}"#, false),
    (#""type": "line", "source": "s", "layout": {"visibility": "hidden"}"#, false),
    (#""type": "line", "source": "s", "layout": {"line-color": "red"}"#, true),
    (#""type": "line", "source": "s", "paint": {"line-width-transition": {}}"#, true),
    (#""type": "line", "source": "s", "slot": "top", "paint.night": {"line-color": 5}"#, true),
    (#""type": "line", "source": "s", "paint": {"line-color": null}"#, true),
  ]) func `A layer without what it needs, or with what it cannot have, is left out`(
    members: String, isRead: Bool
  ) throws {
    #expect(try self.isRead(#"{"id": "a", \#(members)}"#) == isRead)
  }

  @Test func `The second of two layers with one name is left out, and one without a name`() throws {
    let layer = #"{"id": "a", "type": "background"}"#
    let refusals = try form("\(layer),\n\(layer),\n{\"type\": \"background\"}").refusals
    #expect(refusals.count == 2)
    #expect(refusals.first?.contains("'a', in line 2: another one has the same 'id'") == true)
    #expect(refusals.last?.contains("in line 3: it has no 'id'") == true)
  }

  @Test func `What only newer versions read is a warning`() throws {
    for layer in [
      #""type": "color-relief", "source": "s""#,
      #""type": "hillshade", "source": "s", "paint": {"hillshade-method": "igor"}"#,
      #""type": "symbol", "source": "s", "layout": {"icon-padding": [1, 2]}"#,
      #""type": "symbol", "source": "s", "layout": {"icon-padding": ["get", "x"]}"#,
      ##""type": "line", "source": "s", "paint": {"line-color": "#12345678"}"##,
      #""type": "line", "source": "s", "paint": {"line-color": "hsl(1, 2%, 3%, 0.5)"}"#,
      #""type": "line", "source": "s", "filter": ["==", ["join", ["literal", ["a"]], ","], "a"]"#,
    ] {
      let form = try form(#"{"id": "a", \#(layer)}"#)
      #expect(form.refusals.isEmpty && form.warnings.count == 1, "\(form)")
    }
    let both = try form(
      """
      {"id": "a", "type": "hillshade", "source": "s",
        "paint": {"hillshade-method": "igor", "x": 1}}
      """)
    #expect(both.refusals.count == 1 && both.warnings.isEmpty)
  }

  @Test(arguments: [
    ("line-color", "\"#123\"", true), ("line-color", "\"#12345678\"", false),
    ("line-color", "\"RED\"", true), ("line-color", "\"rebeccapurple\"", false),
    ("line-color", "\"rgb (1, 2, 3)\"", true), ("line-color", "\"rgb(1 2 3)\"", false),
    ("line-color", "\"rgba(1, 2, 3, .5)\"", true), ("line-color", "\"rgb(1, 2, 3, .5)\"", false),
    ("line-color", "\"hsla(1, 2%, 3%, 0.5)\"", true),
    ("line-color", "\"hsl(1, 2%, 3%, 0.5)\"", false),
    ("line-color", "\"{{accent}}\"", true), ("line-color", "5", false),
    ("line-color", ##"["case", ["has", "x"], "#12345678", "red"]"##, false),
    ("line-color", ##"{"stops": [[0, "#12345678"]]}"##, false),
    ("line-width", "\"1\"", false), ("line-width", #"["get", "x"]"#, true),
    ("line-width", #"{"property": "x", "stops": [[0, 1]]}"#, true), ("line-width", "{}", false),
    ("line-width", #"{"base": "1", "stops": [[0, 1]]}"#, false),
    ("line-cap", "\"round\"", true), ("line-cap", "\"rounded\"", false),
    ("line-cap", #"["get", "x"]"#, false), ("line-join", #"["get", "x"]"#, true),
    ("line-dasharray", "[2, 1]", true), ("line-dasharray", #"[1, "a"]"#, false),
    ("line-dasharray", #"["step", ["zoom"], ["literal", [1]], 5, ["literal", [2, 1]]]"#, true),
    ("line-dasharray", #"["case", ["has", "x"], ["literal", [1, 2]], ["literal", [2, 1]]]"#, false),
    ("line-translate", "[1, 2]", true), ("line-translate", "[1]", false),
    (
      "line-gradient", #"["interpolate", ["linear"], ["line-progress"], 0, "red", 1, "blue"]"#, true
    ),
    ("line-gradient", "\"red\"", false),
  ]) func `A value is read as what the property is, or the layer is left out`(
    name: String, value: String, isRead: Bool
  ) throws {
    let layer =
      #"{"id": "a", "type": "line", "source": "s", "paint": {"\#(name)": \#(value)}}"#
    #expect(try self.isRead(layer) == isRead)
  }

  @Test(arguments: [
    (#"["case", ["has", "x"], 1]"#, false), (#"["case", ["has", "x"], 1, 2]"#, true),
    (#"["match", ["get", "x"], "a", 1]"#, false),
    (#"["match", ["get", "x"], "a", 1, "a", 2, 3]"#, false),
    (#"["match", ["get", "x"], "a", 1, 2, 2, 3]"#, false),
    (#"["match", ["get", "x"], 1.5, 1, 2]"#, false),
    (#"["match", ["get", "x"], ["a", "b"], 1, 2]"#, true), (#"["step", ["zoom"], 1]"#, false),
    (#"["step", ["zoom"], 1, 5, 2, 4, 3]"#, false),
    (#"["interpolate", ["linear"], ["zoom"], 5, 1, 0, 2]"#, false),
    (#"["interpolate", ["foo"], ["zoom"], 0, 1]"#, false), (#"["+", ["zoom"], 1]"#, false),
    (#"["case", ["has", "x"], ["interpolate", ["linear"], ["zoom"], 0, 1, 5, 2], 1]"#, false),
    (#"["let", "a", 1, ["interpolate", ["linear"], ["zoom"], 0, 1, 5, 2]]"#, true),
    (#"["coalesce", ["interpolate", ["linear"], ["zoom"], 0, 1, 5, 2], 1]"#, true),
    (#"["case", ["has", "x"], "1", 2]"#, false), (#"["case", ["has", "x"], null, 2]"#, false),
    (#"["case", 1, 1, 2]"#, false), (#"["case", ["==", "a", 1], 1, 2]"#, false),
    (#"["case", ["==", ["get", "x"], 1], 1, 2]"#, true), (#"["get"]"#, false), ("[]", false),
    (#"["global-state", "x"]"#, false), (#"["length", 5]"#, false),
    (#"["to-number", ["split", ["get", "x"], ","]]"#, false), (#"["case", {}, 1, 2]"#, false),
    (#"["let", "a", 1, ["var", "b"]]"#, false), (#"["concat", "a"]"#, false),
  ]) func `An expression has the types and the arguments that its operators demand`(
    expression: String, isRead: Bool
  ) throws {
    let layer =
      #"{"id": "a", "type": "line", "source": "s", "paint": {"line-width": \#(expression)}}"#
    #expect(try self.isRead(layer) == isRead)
  }

  @Test(arguments: [
    (#"["==", "a", 1]"#, true), (#"["in", "a", "x", "y"]"#, true), (#"["!has", "x"]"#, true),
    (#"["in", ["get", "a"], ["literal", ["x"]]]"#, true), (#"["all"]"#, true), ("null", true),
    (#"["all", ["==", "a", 1], ["has", "b"]]"#, true), (#"["none", ["has", "x"]]"#, true),
    (#"["any", ["in", "a", "x"], ["!", ["has", "b"]]]"#, true), (#"[">", ["zoom"], 5]"#, true),
    (#"["all", ["==", "a", 1], ["==", ["get", "c"], 1]]"#, false), ("true", false), ("[]", false),
    (#"["none", ["==", ["get", "c"], 1]]"#, false), (#"["in", ["get", "a"], "x", "y"]"#, false),
    (#"["!in", ["get", "a"], "x"]"#, false), (#"["==", "a"]"#, false), (#"["==", 1, 2]"#, false),
    (#"["==", "a", ["x"]]"#, false), (#"["<", "a", true]"#, false), (#"["foo", "a"]"#, false),
    (#"["match", ["get", "x"], ["a"], true]"#, false), (#"["+", 1, 2]"#, false),
    (#"[["==", "a", 1]]"#, false), (#"["<", ["pitch"], 60]"#, false),
  ]) func `A filter is written in one of two forms, and not in both`(
    filter: String, isRead: Bool
  ) throws {
    let layer = #"{"id": "a", "type": "line", "source": "s", "filter": \#(filter)}"#
    #expect(try self.isRead(layer) == isRead)
  }
}
