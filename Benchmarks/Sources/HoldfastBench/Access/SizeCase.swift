import Foundation

/// The number of bytes that the library adds to the smallest program.
struct SizeCase {
  var all: [Case] {
    [
      Case(
        "hello-world, bytes over raw C", unit: "bytes", bound: Self.bound,
        ours: Probe { _ in
          // Both are products of this package, built like the benchmarks: the standard library is
          // not included.
          let added = try Self.strippedSize("hello-holdfast") - Self.strippedSize("hello-sqlite")
          return Reading(value: Double(added), allocations: nil, proof: 0)
        }, floor: nil)
    ]
  }

  private static var bound: Bound {
    .value(1_000_000).unreached(
      "a program keeps each public function that it links, and with it all that the function calls",
      profile: """
        5.18 MB: 3.44 machine code, 0.91 the tables that unwind the stack, 0.37 symbols and relocations, 0.46 \
        metadata and constants. Linked with -internalize-at-link and -function-sections it is 3.36 MB, of which \
        code 2.02 (generic code made for one type 0.80, witnesses of protocols 0.35) and tables 0.52
        """)
  }

  /// Returns the size of a program in the same build folder, without its symbols.
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
