#!/bin/sh
# A small function that is `@inlinable package`, which another module of the same Swift package calls in a release build.
#
# Guess: it is inlined there, wherever it is declared; and a member of a package type as well as one of a public type.
# Found (Swift 6.3.1): a free function and a member of a public type are inlined. A member of a type that is itself
# `package` is called, with `@inlinable`, `@inlinable @inline(__always)` and `@_alwaysEmitIntoClient` alike, also of a
# frozen type, and no warning says so. A loop over blocks of bytes became four times slower when the type of the
# blocks moved to another module with its members `@inlinable package`.
#
#   usage: findings/inlinable-member-of-a-package-type.sh     ends with 1 if the member is inlined, or one of the others is not
set -eu
command -v swift >/dev/null || { echo 'swift is missing' >&2; exit 69; }
swift --version 2>/dev/null | head -n 1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

mkdir -p "$folder/Sources/Steps" "$folder/Sources/App"
cat >"$folder/Package.swift" <<'END'
// swift-tools-version: 6.0
import PackageDescription
let package = Package(
  name: "app", targets: [.target(name: "Steps"), .executableTarget(name: "App", dependencies: ["Steps"])])
END
body='(_ value: Int) -> Int { value &* 3 &+ 7 }'

examine() { # expectation, declaration, call of it
  echo "$2" >"$folder/Sources/Steps/Steps.swift"
  cat >"$folder/Sources/App/main.swift" <<END
import Steps
@inline(never) func caller(_ value: Int) -> Int { $3 }
print(caller(CommandLine.arguments.count))
END
  swift build --package-path "$folder" -c release >"$folder/log" 2>&1 || { cat "$folder/log"; exit 70; }
  ! grep -i 'warning' "$folder/log" || exit 70
  # What the code of the caller names: a call, or a jump at its end.
  if objdump -d "$folder/.build/release/App" | sed -n '/caller.*>:$/,/^$/p' | grep -q 'step'; then
    found=called
  else
    found=inlined
  fi
  echo "$found: $2"
  [ "$found" = "$1" ] || { echo "It was $1 before."; exit 1; }
}

examine inlined "@inlinable package func step$body" 'step(value)'
examine inlined "public enum Step { @inlinable package static func step$body }" 'Step.step(value)'
examine inlined "public enum Step { @inlinable public static func step$body }" 'Step.step(value)'
for attributes in '@inlinable' '@inlinable @inline(__always)' '@_alwaysEmitIntoClient'; do
  examine called "package enum Step { $attributes package static func step$body }" 'Step.step(value)'
done
examine called "@frozen package struct Step { package init() {}; @inlinable package func step$body }" 'Step().step(value)'
