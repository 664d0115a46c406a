import Foundation
import HoldfastTestSupport

/// A temporary folder that is removed with its object.
final class Folder {
  let url = URL.temporaryDirectory.appending(path: "feeds-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  @discardableResult
  func write(_ bytes: [UInt8], to path: String) throws -> URL {
    let file = url.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
    return file
  }
}

/// The files of a small valid feed, which tests modify.
struct FeedFixture {
  var files: [String: [UInt8]]

  init() {
    files = Self.sound.mapValues { Array($0.utf8) }
  }

  subscript(name: String) -> String {
    get { String(decoding: files[name] ?? [], as: UTF8.self) }
    set { files[name] = Array(newValue.utf8) }
  }

  func writeFolder(in folder: Folder, under directory: String = "feed") throws -> URL {
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: directory), withIntermediateDirectories: true)
    for (name, bytes) in files { try folder.write(bytes, to: "\(directory)/\(name)") }
    return folder.url.appending(path: directory)
  }

  func archive() -> ZipFile {
    ZipFile(files.sorted { $0.key < $1.key }.map { ZipFile.Entry($0.key, $0.value) })
  }

  private static let sound = [
    "agency.txt": """
    agency_id,agency_name,agency_url,agency_timezone
    HF,Harbour Ferries,https://example.org,Australia/Sydney

    """,
    "stops.txt": """
    stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
    Q,Quay,-33.861,151.211,1,
    Q1,"Quay, Wharf 1",-33.8611,151.2111,,Q

    """,
    "routes.txt": """
    route_id,agency_id,route_short_name,route_long_name,route_type
    F1,HF,F1,Harbour,4

    """,
    "trips.txt": "route_id,service_id,trip_id\nF1,W,T1\n",
    "stop_times.txt": """
    trip_id,arrival_time,departure_time,stop_id,stop_sequence
    T1,08:00:00,08:00:00,Q1,1
    T1,08:10:00,08:11:00,Q1,2

    """,
    "calendar.txt": """
    service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
    W,1,1,1,1,1,0,0,20260105,20261231

    """,
  ]
}

extension FeedFixture {
  /// The sample feed of the package.
  static let portMerrow = PackageFolder.portMerrow
}
