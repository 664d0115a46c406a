#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// The lookups of a volume that ignores letter case and Unicode normalization, for tests on
/// volumes that do not.
///
/// Its own calls are not counted by the fault that asks for it.
enum FoldedNames {
  /// Returns the path with each name as it is stored, as far as it exists.
  static func path(_ path: String) -> String {
    if exists(path) { return path }
    let isAbsolute = path.utf8.first == UInt8(ascii: "/")
    var found = isAbsolute ? "" : "."
    for name in path.utf8.split(separator: UInt8(ascii: "/")).map({ String(Substring($0)) }) {
      let folder = found.isEmpty ? "/" : found
      found += "/" + (stored(name, in: folder) ?? name)
    }
    return found
  }

  private static func stored(_ name: String, in folder: String) -> String? {
    if exists(folder + "/" + name) { return name }
    return names(in: folder).first { isEqual($0, name) }
  }

  /// Swift's `==` ignores normalization.
  static func isEqual(_ left: String, _ right: String) -> Bool {
    left.lowercased() == right.lowercased()
  }

  private static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  private static func names(in folder: String) -> [String] {
    SystemCalls.$fault.withValue(nil) {
      var names: [String] = []
      do throws(Errno) {
        var directory = try OpenDirectory(folder)
        while let entry = try directory.next() {
          if let name = entry.name { names.append(name) }
        }
      } catch {
        // A folder that cannot be listed has no other names for a file.
      }
      return names.sorted()
    }
  }
}
