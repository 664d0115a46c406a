import HoldfastFiles

// The error messages of the format: names, versions, paths and manifests.

extension PackError {
  // MARK: Names

  static func illegalName(_ text: String, of what: String, _ reason: String) -> PackError {
    PackError(
      code: .invalidName, message: "'\(text)' is no name of \(what): \(reason).",
      advice: "Use 1 to 64 ASCII letters, digits, '.', '_' and '-', and begin with a letter, a "
        + "digit, '_' or '-'.")
  }

  static func illegalVersion(_ text: String, _ reason: String) -> PackError {
    PackError(
      code: .invalidName, message: "'\(text)' is no version of a pack: \(reason).",
      advice: "Write 1 to 4 numbers with dots between them, such as 2025.1.3.")
  }

  static func illegalPath(_ text: String, _ reason: String) -> PackError {
    PackError(
      code: .invalidName, message: "'\(text)' is no path of a file in a pack: \(reason).",
      advice: "Give the path below the pack's folder, such as 'styles/light.json'.", path: text)
  }

  // MARK: Manifests

  static func unreadableManifest(_ reason: String, underlying: (any Error)? = nil) -> PackError {
    PackError(
      code: .invalidManifest, message: "The manifest cannot be read: \(reason).",
      advice: "Build the pack again with 'holdfast pack build'.", underlying: underlying)
  }

  static func contradiction(_ reason: String) -> PackError {
    PackError(
      code: .invalidManifest, message: "The manifest contradicts itself: \(reason).",
      advice: "Build the pack again with 'holdfast pack build'.")
  }

  static func newerFormat(_ format: Int, known: Int) -> PackError {
    PackError(
      code: .newerFormat,
      message: "The manifest has format \(format), and this version reads format \(known).",
      advice: "Update the app or the tool, or build the pack for format \(known).")
  }

  static func noManifest(in folder: FilePath) -> PackError {
    PackError(
      code: .notFound, message: "The folder '\(folder.name)' is no pack: it has no 'pack.json'.",
      advice: "Build a pack from the folder with 'holdfast pack build'.", path: folder.text)
  }
}
