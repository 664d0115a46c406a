import Foundation

/// How many bytes the library adds to the smallest program.
struct SizeCase {
  var all: [Case] {
    [
      Case(
        "hello-world, bytes over raw C", unit: "bytes", bound: .value(1_000_000).later,
        ours: Probe { _ in
          // Both are products of this package, built as the benchmarks are: the standard library
          // stays outside.
          let added = try Self.strippedSize("hello-holdfast") - Self.strippedSize("hello-sqlite")
          return Reading(value: Double(added), allocations: nil, proof: 0)
        }, floor: nil)
    ]
  }

  /// The size of a program that was built beside this one, without its symbols.
  private static func strippedSize(_ name: String) throws -> Int {
    let program = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: name)
    let copy = FileManager.default.temporaryDirectory.appending(path: "\(name)-\(UUID())")
    defer { try? FileManager.default.removeItem(at: copy) }
    let strip = Process()
    strip.executableURL = URL(filePath: "/usr/bin/env")
    strip.arguments = ["strip", "-o", copy.path, program.path]
    try strip.run()
    strip.waitUntilExit()
    guard strip.terminationStatus == 0 else { throw BenchmarkError.notBuilt(program.path) }
    return try copy.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
  }
}
