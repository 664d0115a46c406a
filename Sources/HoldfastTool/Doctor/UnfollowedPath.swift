/// Stored paths that nothing opens, in reports, logs and templates.
enum UnfollowedPath {
  /// Folders of logs, and of reports that wait for their upload.
  private static let folders: Set<String> = [
    "log", "logs", "logfiles", "diagnosticreports", "diagnostics", "crash", "crashes",
    "crash reports",
    "crashreports", "crash_reports", "envelopes", "breadcrumbs",
    // The system's pictures of an app's screens.
    "splashboard",
  ]

  /// The beginnings of the names of folders in which libraries keep such reports.
  private static let libraries = [
    "io.sentry", "sentry", "sentrycrash", "kscrash", "plcrash", "com.plausiblelabs.crashreporter",
    "com.crashlytics", "com.google.firebase.crashlytics", "com.bugsnag", "bugsnag", "com.instabug",
    "com.microsoft.appcenter", "com.datadoghq", "com.embrace", "com.raygun", "com.rollbar",
    "com.newrelic",
  ]

  private static let endings = [".log", ".crash", ".ips", ".envelope", ".panic"]

  /// Keys of crash reports: the images of Sentry's, KSCrash's and Apple's forms.
  private static let keys: Set<String> = [
    "debug_meta", "binary_images", "usedImages", "procPath", "code_file", "debug_file",
  ]

  /// Keys and columns of what a log or a report says.
  private static let messages: Set<String> = [
    "message", "msg", "reason", "stack", "stacktrace", "stack_trace", "callstacksymbols",
    "exception",
  ]

  /// Whether a value says something to people, in which a path is one of the words.
  static func isMessage(_ place: Finding.Place) -> Bool {
    guard let name = (place.key ?? place.column)?.split(separator: ".").last else { return false }
    return messages.contains(name.replacing("[]", with: "").lowercased())
  }

  /// Whether a file is a report or a log, whose paths are only read by people.
  static func isReport(_ file: String) -> Bool {
    let file = file.lowercased()
    return endings.contains(where: file.hasSuffix)
      || file.split(separator: "/").dropLast().contains { name in
        folders.contains(String(name)) || libraries.contains { name.hasPrefix($0) }
      }
  }

  /// Whether the value of a key is of a report, or is written anew at each launch.
  ///
  /// - Parameters:
  ///   - key: The keys that lead to the value.
  ///   - file: The path of the file relative to the container.
  /// - Returns: Whether nothing opens it.
  static func isUnfollowed(_ key: String, in file: String) -> Bool {
    // WebKit writes the places of its databases at each launch.
    if key.hasPrefix("WebKit") || key == "WebDatabaseDirectory" {
      return file.contains("Library/Preferences/")
    }
    return key.split { $0 == "." || $0 == "[" || $0 == "]" }.contains { keys.contains(String($0)) }
  }

  /// Returns the folder of a template such as `fonts/{fontstack}/{range}.pbf`; `nil` for other names.
  static func folder(ofTemplate names: [String]) -> [String]? {
    let first = names.firstIndex { name in
      // Most names are without, and a regular expression takes long.
      name.utf8.contains(UInt8(ascii: "{")) && name.contains(/\{[a-zA-Z0-9_-]+\}/) && !isUUID(name)
    }
    return first.map { Array(names[..<$0]) }
  }

  /// `{6F1D2C3B-…}` is a name that Windows gives, and no placeholder.
  private static func isUUID(_ name: String) -> Bool {
    name.contains(/\{[0-9A-Fa-f]{8}-[0-9A-Fa-f-]{27}\}/)
  }

  /// Whether a value of this key is the beginning of several files' names, as in a map style.
  ///
  /// - SeeAlso: <https://maplibre.org/maplibre-style-spec/sprite/>
  static func isSprite(key: String?) -> Bool {
    guard let key else { return false }
    return key == "sprite" || key.hasSuffix(".sprite") || key.hasSuffix("sprite[].url")
  }
}
