#if os(Linux)
  import Foundation
  import HoldfastTestSupport
  import Testing

  /// What `Scripts/run-tests` makes and removes, with a program in place of the tests that mounts a volume.
  @Suite struct TestRunTests {
    private let directory: TemporaryDirectory
    /// The package, and the folder for temporary files: both at a path with a space, and named like files of tests.
    private let package: URL
    private let temporary: URL

    init() throws {
      directory = try TemporaryDirectory()
      package = directory.file("the package")
      temporary = directory.file("holdfast tests")
      let inside = ["Scripts", ".build"].map { package.appending(path: $0) }
      for folder in [temporary, directory.file("bin")] + inside {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      }
      for name in ["Scripts/run-tests", "CONTRIBUTING.md"] {
        try FileManager.default.copyItem(
          at: PackageFolder.root.appending(path: name), to: package.appending(path: name))
      }
    }

    /// Prepares the script to run lines of shell in place of the tests, for which `$report` is the report.
    private func process(_ tests: String, _ environment: [String: String] = [:]) throws -> Process {
      let program = directory.file("bin/swift")
      try Data(
        """
        #!/bin/sh
        set -eu
        for word in "$@"; do
          [ "${last-}" != --xunit-output ] || report=$word
          last=$word
        done
        echo "$TMPDIR" >>"$SEEN"
        echo "${HOLDFAST_DISK-}${HOLDFAST_MEMORY-}" >>"$SEEN.other"
        \(tests)
        """.utf8
      ).write(to: program)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: program.path)
      let process = Process()
      process.executableURL = package.appending(path: "Scripts/run-tests")
      var variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      variables["HOLDFAST_STEP"] = nil
      variables["PATH"] = directory.file("bin").path + ":" + (variables["PATH"] ?? "")
      variables["TMPDIR"] = temporary.path
      variables["SEEN"] = directory.file("seen").path
      process.environment = variables
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      return process
    }

    /// The temporary folders that the tests had.
    private var seen: Set<String> { lines("seen") }

    /// Their folders on another volume.
    private var others: Set<String> { lines("seen.other") }

    private func lines(_ file: String) -> Set<String> {
      // There is none before the tests begin.
      let text = (try? String(contentsOf: directory.file(file), encoding: .utf8)) ?? ""
      return Set(text.split(separator: "\n").map(String.init))
    }

    private static let report = #"echo '<testcase classname="A" name="a"' >"$report""#

    /// Expects that nothing is left of the folders that the tests had.
    private func expectNothingLeft() throws {
      let folders = seen
      #expect(folders.count == 1)
      let hasMemory = FileManager.default.isWritableFile(atPath: "/dev/shm")
      #expect(others.count == (hasMemory ? 1 : 0) && others.isDisjoint(with: folders))
      for folder in folders.union(others) {
        #expect(!FileManager.default.fileExists(atPath: folder))
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [])
      let volumes = try String(contentsOfFile: "/proc/mounts", encoding: .utf8)
      #expect(!volumes.contains(directory.url.lastPathComponent))
    }

    @Test(
      .enabled(if: SmallVolume.isPossible, "mounting a small tmpfs needs Linux and root"),
      arguments: ["", "1"])
    func `Volumes in a folder at a path with a space are unmounted`(onDisk: String) throws {
      let run = try process(
        """
        volume="$TMPDIR/a \\\\ volume.$$"
        mkdir "$volume"
        mount -t tmpfs -o size=64k tmpfs "$volume"
        echo x >"$volume/file"
        \(Self.report)
        """, ["HOLDFAST_ON_DISK": onDisk])
      try run.run()
      run.waitUntilExit()
      #expect(run.terminationStatus == 0)
      try expectNothingLeft()
      // The folder that a run hands to its tests is no wish of a run within them.
      #expect(onDisk.isEmpty || seen.allSatisfy { $0.hasPrefix(temporary.path) })
    }

    /// What lies elsewhere stays after a signal, with its volumes.
    @Test(
      .enabled(
        if: ["HOLDFAST_DISK", "HOLDFAST_MEMORY"].contains {
          ProcessInfo.processInfo.environment[$0] != nil
        }, "the tests were not started by Scripts/run-tests"))
    func `All volumes of the tests are folders of the run`() {
      let folders = ["TMPDIR", "HOLDFAST_DISK", "HOLDFAST_MEMORY"].compactMap {
        ProcessInfo.processInfo.environment[$0].map { URL(filePath: $0).standardizedFileURL.path }
      }
      #expect(TemporaryDirectory.volumes.count == 2)
      for volume in TemporaryDirectory.volumes {
        #expect(folders.contains(volume.standardizedFileURL.path))
      }
    }

    @Test func `What the tests leave is named, and their folder is not`() throws {
      let sound = try process(Self.report)
      try sound.run()
      sound.waitUntilExit()
      #expect(sound.terminationStatus == 0)
      let careless = try process("mkdir -p \"$TMPDIR/holdfast-left\"\n" + Self.report)
      try careless.run()
      careless.waitUntilExit()
      #expect(careless.terminationStatus == 1)
    }
  }
#endif
