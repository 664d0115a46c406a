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
        5.41 MB: 3.60 machine code, 0.95 the tables that unwind the stack, 0.38 symbols and relocations, 0.48 \
        metadata and constants. Linked with -internalize-at-link and -function-sections, as its users can and a \
        package cannot, it is 3.48 MB, of which code 2.10 (at 3.36 MB generic code made for one type was 0.80, \
        witnesses of protocols 0.35) and tables 0.55; with -Osize too it is 2.99, with -Osize alone 4.57
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
