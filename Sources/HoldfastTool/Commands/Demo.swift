import Foundation

/// `holdfast demo [--container DIR]`.
struct Demo: Verb {
  private let container = Option(
    "--container", "DIR", "Keeps the app's containers in DIR; by default a new temporary folder.",
    .path)

  var declaration: Declaration {
    Declaration(
      "demo", "Demonstrates Holdfast in half a minute, and checks each step.", container,
      example: "--container harbour-demo")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    if let database = SecondWriter.databaseOfThisProcess {
      try await SecondWriter.run(on: database, output: output)
      return .success
    }
    let stage = try DemoStage(folder: arguments[container], output: output)
    try stage.open()
    for chapter in DemoStory.chapters {
      try stage.open(chapter)
      try await chapter.run(stage)
    }
    try stage.close()
    return .success
  }
}
