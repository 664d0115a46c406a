#!/bin/sh
# A library's module that is exported by another one, and a release build that is repeated after it changed.
#
# Guess: who inlined code of a module is compiled again when that code changes, as a debug build does.
# Found (Swift 6.3.1): a target is compiled again when a module changes that it depends on in the manifest. A module
# that merely exports the changed one keeps its own file as it is, so that the release build is "complete" with the old
# code, next to the library's new one: two versions of a type's layout in one program. It is right once the product
# lists the exported module too.
#
#   usage: findings/inlined-code-of-an-old-build.sh     ends with 1 if the first program has the new code
set -eu
command -v swift >/dev/null || { echo 'swift is missing' >&2; exit 69; }
swift --version 2>/dev/null | head -n 1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

package() { # name, the targets of the product
  mkdir -p "$folder/$1/library/Sources/Inner" "$folder/$1/library/Sources/Outer" "$folder/$1/app/Sources/App"
  cat >"$folder/$1/library/Package.swift" <<END
// swift-tools-version: 6.0
import PackageDescription
let package = Package(
  name: "library", products: [.library(name: "Outer", targets: [$2])],
  targets: [.target(name: "Inner"), .target(name: "Outer", dependencies: ["Inner"])])
END
  cat >"$folder/$1/app/Package.swift" <<END
// swift-tools-version: 6.0
import PackageDescription
let package = Package(
  name: "app", dependencies: [.package(path: "../library")],
  targets: [.executableTarget(name: "App", dependencies: [.product(name: "Outer", package: "library")])])
END
  echo '@_exported import Inner' >"$folder/$1/library/Sources/Outer/Outer.swift"
  printf 'import Outer\nprint(version())\n' >"$folder/$1/app/Sources/App/main.swift"
}

build() { # name, configuration, version
  echo "@inlinable @inline(__always) public func version() -> Int { $3 }" >"$folder/$1/library/Sources/Inner/Inner.swift"
  swift build --package-path "$folder/$1/app" -c "$2" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 70; }
  found=$("$folder/$1/app/.build/$2/App")
  echo "product of $1, $2, version $3: the program has version $found"
}

package one '"Outer"'
package both '"Outer", "Inner"'
build one debug 1
build one debug 2
[ "$found" = 2 ]
build both release 1
build both release 2
[ "$found" = 2 ]
build one release 1
build one release 2
[ "$found" = 1 ] || { echo 'The new code was inlined.'; exit 1; }
