#!/bin/sh
# A program that links a Swift package statically, and the package's public functions that it never calls.
#
# Guess: a release build drops them; SwiftPM passes --gc-sections to the linker.
# Found (Swift 6.3.1, Linux): each public function is kept, and with it whatever it calls, because the compiler marks
# each public symbol as used (SHF_GNU_RETAIN), also in a program that exports nothing. The option -function-sections
# changes nothing in that. The frontend's option -internalize-at-link, which no package may set for its users, makes
# the linker drop both. In a program with a library of 4.7 MB, both options together dropped a third of it.
#
#   usage: findings/unused-public-code-in-a-program.sh     ends with 1 if a plain release build drops them
set -eu
command -v swift >/dev/null || { echo 'swift is missing' >&2; exit 69; }
swift --version 2>/dev/null | head -n 1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

mkdir -p "$folder/Sources/Library" "$folder/Sources/App"
cat >"$folder/Package.swift" <<'END'
// swift-tools-version: 6.0
import PackageDescription
let package = Package(
  name: "app", targets: [.target(name: "Library"), .executableTarget(name: "App", dependencies: ["Library"])])
END
cat >"$folder/Sources/Library/Library.swift" <<'END'
public func called() -> Int { 1 }
@inline(never) public func neverCalled(_ value: Int) -> Int { reached(value) &* 3 }
@inline(never) func reached(_ value: Int) -> Int { value &+ 41 }
END
printf 'import Library\nprint(called())\n' >"$folder/Sources/App/main.swift"

kept() { # name, options of the compiler
  name=$1
  shift
  swift build --package-path "$folder" --scratch-path "$folder/$name" -c release "$@" >"$folder/log" 2>&1 ||
    { cat "$folder/log"; exit 70; }
  public=$(nm "$folder/$name/release/App" | grep -c 'neverCalled' || true)
  internal=$(nm "$folder/$name/release/App" | grep -c 'reached' || true)
  echo "$name: $public symbols of the public function, $internal of the internal one that it calls"
}

kept sections -Xswiftc -Xfrontend -Xswiftc -function-sections
kept internalized -Xswiftc -Xfrontend -Xswiftc -internalize-at-link
[ "$public$internal" = 00 ] || { echo 'The option did not drop them.'; exit 1; }
kept plain
[ "$public" != 0 ] || { echo 'A plain build dropped the public function.'; exit 1; }
