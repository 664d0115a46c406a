import HoldfastFiles

/// The chapter in which the app installs the database into its container.
struct InstallChapter: DemoChapter {
  let title = "An app installs it into its container"

  func run(_ stage: DemoStage) async throws {
    let app = stage.app
    let path = try DemoApp.timetablePath
    if let parent = path.parent { _ = try app.container.createDirectory(at: parent) }
    let digest = try FileDigest(of: stage.shippedDatabase)
    try AtomicReplace(at: app.timetableURL)
      .copy(from: stage.shippedDatabase, expecting: digest.sha256)
    try stage.prove(
      "copied aside, compared and synced before it is seen, it has the SHA-256 of the shipped one",
      try FileDigest(of: app.timetableURL) == digest)

    try await app.remember(path)
    let remembered = try await app.rememberedText()
    try stage.prove("the app remembers it as '\(path)'", remembered == path.description)
  }
}
