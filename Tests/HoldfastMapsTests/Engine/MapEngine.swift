import Foundation
import HoldfastTestSupport

/// MapLibre Native in two versions, which draws tilesets without a window.
///
/// `Scripts/map-engine` installs it into `.build`. Each picture is drawn in a process of its own, because
/// some tilesets end it.
struct MapEngine {
  /// What is drawn.
  struct Job: Encodable {
    /// The tileset.
    var path: String
    /// The type of the source: "vector" or "raster".
    var type: String
    /// The layer of a vector source.
    var layer = "places"
    var longitude = 10.0
    var latitude = 10.0
    var zoom = 0.0
  }

  /// The versions, by the packages that contain them: a newer and an older one.
  static let versions = ["mapli", "pymgl"]

  static let python = PackageFolder.root.appending(path: ".build/map-engine/bin/python")

  static var isInstalled: Bool {
    FileManager.default.isExecutableFile(atPath: python.path)
      && FileManager.default.fileExists(
        atPath: PackageFolder.root.appending(path: ".build/map-engine/installed").path)
  }

  static let absence = "MapLibre Native is not installed; see Scripts/map-engine"

  /// Draws pictures.
  ///
  /// - Parameters:
  ///   - jobs: What is drawn.
  ///   - folder: A folder for files.
  /// - Returns: For each job and version the share of the picture that is neither white nor black; `nil` where it was
  ///   refused or ended the process.
  /// - Throws: The errors of a process that cannot be started, or of files that cannot be read.
  static func inkShares(of jobs: [Job], in folder: URL) throws -> [[Double?]] {
    let input = folder.appending(path: "jobs.json")
    let output = folder.appending(path: "shares.json")
    try JSONEncoder().encode(jobs).write(to: input)
    let process = Process()
    process.executableURL = python
    process.arguments = ["-c", pixelScript + "\n" + script, input.path, output.path] + versions
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["EGL_PLATFORM": "surfaceless"]) { $1 }
    // What the engine says of tilesets that it refuses.
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return try JSONDecoder().decode([[Double?]].self, from: Data(contentsOf: output))
  }

  /// Functions in Python that read a picture.
  static let pixelScript = """
    import json, os, signal, struct, sys, zlib
    from urllib.parse import quote

    def pixels(png):
        at, data, size = 8, b'', None
        while at < len(png):
            length, kind = struct.unpack('>I4s', png[at:at + 8])
            body = png[at + 8:at + 8 + length]
            if kind == b'IHDR': size = struct.unpack('>IIBB', body[:10])
            if kind == b'IDAT': data += body
            at += 12 + length
        width, height, depth, color = size
        step = {2: 3, 6: 4}[color]
        raw, last, rows = zlib.decompress(data), bytearray(width * step), []
        for y in range(height):
            start = y * (width * step + 1)
            how, row = raw[start], bytearray(raw[start + 1:start + 1 + width * step])
            for i in range(len(row)):
                a = row[i - step] if i >= step else 0
                b = last[i]
                c = last[i - step] if i >= step else 0
                p = a + b - c
                near = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
                row[i] = (row[i] + [0, a, b, (a + b) // 2, near][how]) & 255
            rows.append(row)
            last = row
        return [tuple(row[i:i + 3]) for row in rows for i in range(0, len(row), step)]
    """

  private static let script = """
    def draw(engine, job):
        source = {'type': job['type'], 'url': 'mbtiles://' + quote(job['path'])}
        if job['type'] == 'raster':
            source['tileSize'] = 256
            layer = {'id': 'a', 'type': 'raster', 'source': 's'}
        else:
            layer = {'id': 'a', 'type': 'fill', 'source': 's', 'source-layer': job['layer'],
                     'filter': ['!=', ['get', 'kind'], 'none'],
                     'paint': {'fill-color': '#ff0000', 'fill-antialias': False}}
        white = {'id': 'b', 'type': 'background', 'paint': {'background-color': '#ffffff'}}
        style = json.dumps({'version': 8, 'sources': {'s': source}, 'layers': [white, layer]})
        place = job['longitude'], job['latitude'], job['zoom']
        if engine == 'mapli':
            import mapli
            pool = mapli.RenderPool()
            pool.register_style('a', json=style)
            png = pool.render('a', lon=place[0], lat=place[1], zoom=place[2], width=64, height=64)
        else:
            import pymgl
            png = pymgl.Map(style, 64, 64, 1, *place).renderPNG()
        seen = pixels(png)
        # Black is the picture of an image that cannot be read.
        return sum(1 for p in seen if sum(255 - c for c in p) > 60 and sum(p) > 60) / len(seen)

    shares = []
    for job in json.load(open(sys.argv[1])):
        shares.append([])
        for engine in sys.argv[3:]:
            readable, writable = os.pipe()
            child = os.fork()
            if child == 0:
                signal.alarm(60)
                try: os.write(writable, json.dumps(draw(engine, job)).encode())
                finally: os._exit(0)
            os.close(writable)
            with os.fdopen(readable) as answer: text = answer.read()
            os.waitpid(child, 0)
            shares[-1].append(json.loads(text) if text else None)
    json.dump(shares, open(sys.argv[2], 'w'))
    """
}
