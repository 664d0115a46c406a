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
      "the linker strips dead code, but a type's metadata keeps what the program never calls",
      profile: """
        3.15 MB: 2.07 machine code, of which generic code made for one type 0.79; 0.55 the tables \
        that unwind the stack; 0.26 symbols and relocations; 0.27 metadata and constants. Folding \
        equal functions would save 0.04 MB, -Osize two fifths of HoldfastSQLite's code
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
