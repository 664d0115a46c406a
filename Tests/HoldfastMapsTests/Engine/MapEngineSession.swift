import Foundation

/// A process of MapLibre Native whose maps stay open, each with its style, until the session ends.
///
/// Only the newer version of the engine can do so, and it draws PMTiles too.
final class MapEngineSession {
  /// A picture.
  struct Picture: Decodable {
    /// The shares of the picture that are red, blue, and neither of them nor white; 0 where it was refused.
    var red = 0.0
    var blue = 0.0
    var other = 0.0
    /// Why nothing was drawn.
    var refusal: String?

    /// The share that is not white.
    var ink: Double { red + blue + other }
  }

  private struct Request: Encodable {
    var map: String
    var style: String?
    var longitude: Double
    var latitude: Double
    var zoom: Double
  }

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  init() throws {
    process.executableURL = MapEngine.python
    process.arguments = ["-u", "-c", MapEngine.pixelScript + "\n" + Self.script]
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["EGL_PLATFORM": "surfaceless"]) { $1 }
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  deinit {
    // The engine ends when there are no more requests; a file that is closed already is no matter.
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Draws a picture.
  ///
  /// - Parameters:
  ///   - map: The name of a map, which is opened with the style at its first picture, and stays open.
  ///   - style: The style document; needed for the first picture only.
  ///   - longitude: The middle of the picture, in degrees.
  ///   - latitude: The middle of the picture, in degrees.
  ///   - zoom: The zoom level.
  /// - Returns: The picture.
  /// - Throws: The error of an answer that is none.
  func picture(
    of map: String, _ style: URL? = nil, longitude: Double = 10, latitude: Double = 10,
    zoom: Double = 0
  ) throws -> Picture {
    let request = Request(
      map: map, style: style?.path(percentEncoded: false), longitude: longitude, latitude: latitude,
      zoom: zoom)
    try input.fileHandleForWriting.write(
      contentsOf: JSONEncoder().encode(request) + Data([UInt8(ascii: "\n")]))
    var line = Data()
    while let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty,
      byte.first != UInt8(ascii: "\n")
    {
      line += byte
    }
    return try JSONDecoder().decode(Picture.self, from: line)
  }

  private static let script = """
    import mapli
    pool = mapli.RenderPool(workers=1, max_renderers_per_worker=50)
    for line in sys.stdin:
        job = json.loads(line)
        answer = {'red': 0, 'blue': 0, 'other': 0}
        try:
            if not pool.has_style(job['map']):
                # Not by its path, which the package does not escape.
                pool.register_style(job['map'], json=open(job['style']).read())
            png = pool.render(job['map'], lon=job['longitude'], lat=job['latitude'],
                              zoom=job['zoom'], width=64, height=64)
            seen = pixels(png)
            red = sum(1 for r, g, b in seen if r > 200 and g < 100 and b < 100)
            blue = sum(1 for r, g, b in seen if b > 200 and g < 100 and r < 100)
            white = sum(1 for p in seen if min(p) > 230)
            answer = {'red': red / len(seen), 'blue': blue / len(seen),
                      'other': (len(seen) - red - blue - white) / len(seen)}
        except Exception as problem:
            answer['refusal'] = str(problem)
        print(json.dumps(answer), flush=True)
    """
}
