/// The texts that MapLibre Native reads as colors.
///
/// It knows the forms of CSS 3, and newer versions a few of CSS 4.
///
/// - SeeAlso: <https://www.w3.org/TR/css-color-3/>
enum StyleColor {
  /// Returns whether a text is a color.
  static func isColor(_ text: String, in version: RendererVersion) -> Bool {
    let text = text.lowercased().filter { $0 != " " }
    if text.first == "#" {
      let counts = version == .newer ? [4, 5, 7, 9] : [4, 7]
      return counts.contains(text.count)
    }
    guard let open = text.firstIndex(of: "("), text.last == ")" else {
      return names.contains(Substring(text))
    }
    let parts = text[text.index(after: open)...].dropLast().split(separator: ",")
    return switch text[..<open] {
    case "rgb": parts.count == 3
    case "hsl": parts.count == 3 || version == .newer && parts.count == 4
    case "rgba", "hsla": parts.count == 4
    default: false
    }
  }

  private static let names = Set(
    """
    aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood \
    cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod \
    darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon \
    darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray \
    dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green \
    greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon \
    lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon \
    lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime limegreen linen magenta \
    maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen \
    mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive \
    olivedrab orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru \
    pink plum powderblue purple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna \
    silver skyblue slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato transparent \
    turquoise violet wheat white whitesmoke yellow yellowgreen
    """.split(separator: " "))
}
