import HoldfastFiles

// Why an app uses the files that a report names.

extension InstallReport {
  static func sentence(
    _ reason: InstallPlan.KeepReason, _ generation: Generation, _ offered: PackManifest
  ) -> String {
    switch reason {
    case .same: "Generation '\(generation.name)' is installed and is the offered pack."
    case .downloaded:
      "Generation '\(generation.name)' was downloaded, and the offered version "
        + "\(offered.version) is not newer."
    case .rolledBack:
      "The app has rolled back from the offered version \(offered.version) to generation "
        + "'\(generation.name)'."
    }
  }

  static func sentence(
    _ reason: InstallPlan.Reason, _ generation: Generation
  ) -> String {
    let text =
      switch reason {
      case .first: "Generation '\(generation.name)' was installed"
      case .upgrade(let old):
        "Generation '\(generation.name)' has taken the place of the older '\(old)'"
      case .downgrade(let old):
        "Generation '\(generation.name)' has taken the place of the newer '\(old)', as the store "
          + "allows"
      case .replacement(let old):
        "Generation '\(generation.name)' has taken the place of '\(old)', which has other content"
      case .repair(let old):
        "Generation '\(generation.name)' has taken the place of '\(old)', which is damaged"
      case .requested(let old):
        "The app has switched from generation '\(old)' to '\(generation.name)'"
      }
    return text + "."
  }

  /// Says that the file which names the current generation was made from the generations.
  static func sentence(rebuiltWith previous: String?) -> String {
    " The file that named the current generation was unreadable, and was rebuilt from the whole "
      + "generations in the folder: "
      + (previous.map { "a rollback returns to '\($0)'." } ?? "there is none to roll back to.")
  }

  static func sentence(keeping generation: Generation) -> String {
    "Generation '\(generation.name)' stays, because the offered pack was not installed."
  }

  static func sentence(notDurable generation: Generation) -> String {
    "Generation '\(generation.name)' is the current one, but a loss of power may bring the one before "
      + "back."
  }

  static func sentence(current generation: Generation) -> String {
    "Generation '\(generation.name)' is the current one already."
  }

  static let inPlaceSentence =
    "The offered pack is used in place and read-only, because it was not installed and no "
    + "generation can be used."

  static let foreignSentence = "It was left, because the store has not created it."

  static let mayBeOpenSentence =
    "It was left, because it is not proven that no process has it open."

  static let movedSentence =
    "It was moved, because the store's link has its name; no process has it open."

  static func unreadSentence(_ error: FileError) -> String {
    "It was left, because it was not read: \(error.message)"
  }
}
