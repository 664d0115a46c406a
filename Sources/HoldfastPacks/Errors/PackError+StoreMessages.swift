import HoldfastFiles

// The error messages of the store: layouts, generations, installations.

extension PackError {
  // MARK: Names

  static func reservedName(_ name: String) -> PackError {
    PackError(
      code: .invalidName, message: "'\(name)' cannot be the name of a link: the store uses it.",
      advice: "Choose another name.")
  }

  static func twoLinks(_ name: PackName) -> PackError {
    PackError(
      code: .invalidName, message: "'\(name)' cannot be the name of two links.",
      advice: "Choose another name for one of them.")
  }

  // MARK: Generations

  static func unreadableCurrent(_ path: FilePath) -> PackError {
    PackError(
      code: .damaged,
      message: "'\(path.directory.name)/\(path.name)' does not name the current generation: it is "
        + "damaged, or another program's.",
      advice:
        "Install the pack again, which rebuilds the file from the whole generations next to it.",
      path: path.text)
  }

  static func foreignCurrent(_ path: FilePath) -> PackError {
    PackError(
      code: .occupied,
      message:
        "The folder '\(path.directory.name)' is not used: its '\(path.name)' is not the store's.",
      advice: "Move the file away if it is not needed, and install the pack again.", path: path.text
    )
  }

  static func newerCurrent(_ path: FilePath, _ format: Int) -> PackError {
    PackError(
      code: .newerFormat,
      message: "The pack in '\(path.directory.name)' was not read: its file '\(path.name)' has "
        + "format \(format), and this version reads format \(CurrentFile.format).",
      advice: "Update the app or the tool.", path: path.text)
  }

  static func unusableGeneration(
    _ name: String, _ error: PackError, _ path: FilePath
  ) -> PackError {
    PackError(
      code: error.code == .newerFormat ? .newerFormat : .damaged,
      message: "Generation '\(name)' cannot be used: its manifest is missing or damaged.",
      advice: "Install the pack again.", path: path.text, underlying: error)
  }

  static func notInstalled(_ pack: PackName) -> PackError {
    PackError(
      code: .notFound, message: "The pack '\(pack)' is not installed.",
      advice: "Install it first.")
  }

  static func refused(_ offered: PackManifest, _ refusal: InstallPlan.Refusal) -> PackError {
    refused(offered.name, "version \(offered.version) was not installed", refusal)
  }

  static func refused(
    _ pack: PackName, _ sentence: String, _ refusal: InstallPlan.Refusal
  ) -> PackError {
    let (code, reason, advice): (Code, String, String) =
      switch refusal {
      case .downgrade(let current):
        (
          .downgrade, "generation '\(current)' has a higher version",
          "Offer a newer version, or allow downgrades in the store's configuration "
            + "('--allow-downgrade' on the command line)."
        )
      case .noPrevious:
        (.notFound, "there is no earlier generation", "Install another version.")
      case .unknown(let name):
        (.notFound, "there is no generation '\(name)'", "Name one that is installed.")
      case .damaged(let name):
        (.damaged, "generation '\(name)' is damaged", "Install the pack again.")
      case .olderSeed:
        (
          .schemaNewer, "a newer seed was merged into a database of the app",
          "Offer a version whose seed has at least that user_version."
        )
      case .occupied(let other):
        (
          .occupied, "its folder contains the pack '\(other)'",
          "Give each pack a folder of its own in the store's layout."
        )
      }
    return PackError(
      code: code, message: "The pack '\(pack)' stays as it is: \(sentence), because \(reason).",
      advice: advice)
  }

  // MARK: Installations

  static func otherPack(_ found: PackName, expected: PackName, _ path: FilePath) -> PackError {
    PackError(
      code: .unsuitable,
      message: "The folder '\(path.name)' contains the pack '\(found)', not '\(expected)'.",
      advice: "Name the folder of the right pack.", path: path.text)
  }

  static func otherEdition(
    _ found: PackEdition, expected: PackEdition, _ path: FilePath
  ) -> PackError {
    PackError(
      code: .unsuitable,
      message: "The pack in '\(path.name)' is of edition \(found), and the store of edition "
        + "\(expected).",
      advice: "Use a store whose configuration names the pack's edition.", path: path.text)
  }

  static func logNextToSource(_ path: FilePath, log: FilePath) -> PackError {
    PackError(
      code: .damaged,
      message: "'\(path.name)' was not copied: '\(log.name)' next to it contains changes that "
        + "belong to no pack.",
      advice: "Build the pack again from a database that is closed.", path: log.text)
  }

  static func flawedSource(_ path: FilePath, _ flaw: PackFileFlaw) -> PackError {
    PackError(
      code: .damaged, message: "'\(path.name)' was not copied: \(flaw).",
      advice: "Build the pack again with 'holdfast pack build'.", path: path.text)
  }

  static func suspended(_ path: FilePath) -> PackError {
    PackError(
      code: .suspended,
      message: "The pack in '\(path.name)' was not changed: the store is suspended.",
      advice: "Try again after the resume.", path: path.text)
  }

  static func incompleteSource(_ path: FilePath, _ file: PackFile) -> PackError {
    PackError(
      code: .damaged,
      message: "The pack in '\(path.name)' cannot be used in place: '\(file.path)' is missing or "
        + "has another length.",
      advice: "Get the complete pack again.", path: path.text)
  }
}
