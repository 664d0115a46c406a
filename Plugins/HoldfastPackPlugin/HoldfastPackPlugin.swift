import Foundation
import PackagePlugin

/// Builds the packs of a target when the target is built, checks them, and adds them to its bundle.
///
/// A pack's source is a folder in the target's folder `Packs`, which the target excludes:
///
/// ```swift
/// .target(
///   name: "App", exclude: ["Packs"],
///   plugins: [.plugin(name: "HoldfastPackPlugin", package: "holdfast")])
/// ```
///
/// The pack of `Packs/map` is the folder `map` in `Bundle.module`. A pack that would not work ends
/// the build with the reason. The environment variable `HOLDFAST_PACK_TOOL` names a HoldfastPackTool
/// that is built already; otherwise it is built from source, for the machine that builds the app.
@main struct HoldfastPackPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let sources = target.directoryURL.appending(path: "Packs", directoryHint: .isDirectory)
    let names = try FileManager.default.contentsOfDirectory(atPath: sources.path)
      .filter { !$0.hasPrefix(".") }.sorted()
    guard !names.isEmpty else { throw PluginError.noPacks(sources) }
    let built = ProcessInfo.processInfo.environment["HOLDFAST_PACK_TOOL"]
    let tool = try built.map { URL(filePath: $0) } ?? context.tool(named: "HoldfastPackTool").url
    return try names.map { name in
      // A link to a folder is followed, so that several packages can share one.
      let source = sources.appending(path: name).resolvingSymlinksInPath()
      let pack = context.pluginWorkDirectoryURL.appending(path: name)
      return .buildCommand(
        displayName: "Building the pack \(name)", executable: tool,
        arguments: [source.path, pack.path],
        inputFiles: try Self.files(in: source), outputFiles: [pack])
    }
  }

  /// Returns every file of the source, so that a change of any builds the pack again.
  private static func files(in folder: URL) throws -> [URL] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().map {
      folder.appending(path: $0)
    }.filter { !$0.hasDirectoryPath }
  }
}

/// An error of the plugin, before anything is built.
enum PluginError: Error, CustomStringConvertible {
  case noPacks(URL)

  var description: String {
    switch self {
    case .noPacks(let folder):
      "'\(folder.path)' contains no folder, and so no pack can be built. "
        + "Add a folder with the pack's files, or remove the plugin from the target."
    }
  }
}
