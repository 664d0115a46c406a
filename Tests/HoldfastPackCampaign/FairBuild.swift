import Foundation
import HoldfastPacks

/// The folder into which a campaign's process builds the sample's pack.
struct FairBuild {
  private let folder: URL
  private var pack: URL { folder.appending(path: FairPack.name) }

  /// - Parameter app: The folder of the process.
  init(in app: URL) {
    folder = app.appending(path: "built")
  }

  /// Makes the folder, with the pack of the first version.
  func prepare() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try replace(by: "1.0")
  }

  /// Builds a version, and replaces another one.
  func replace(by version: String) throws {
    let source = FairPack.sample(version)
    var builder = PackBuilder(try PackDescription(of: source))
    builder.replacesPack = true
    _ = try builder.build(filesIn: source, to: pack)
  }

  /// Checks what a build has left, and what the next one makes of it.
  ///
  /// - Parameter versions: The versions that the build may have left.
  /// - Returns: What is wrong; `nil` when all is sound.
  /// - Throws: `PackError` when no pack is there or the next build fails; `FileError`.
  func problem(allowing versions: Set<String>) throws -> String? {
    if let problem = try packProblem(allowing: versions) { return problem }
    try replace(by: "1.1")
    if let problem = try packProblem(allowing: ["1.1"]) { return "the next build: \(problem)" }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return names == [FairPack.name] ? nil : "left over: \(names.sorted())"
  }

  private func packProblem(allowing versions: Set<String>) throws -> String? {
    let verification = try PackVerification(of: pack)
    let version = "\(verification.manifest.version)"
    guard versions.contains(version) else { return "\(version) is there" }
    guard verification.isWhole, verification.surplus.isEmpty else {
      return "\(version) is not whole: \(verification.flaws) \(verification.surplus)"
    }
    return nil
  }
}
