#!/bin/sh
# Two packages that share a build folder: the second one is not built, and Swift's package manager says that its build
# is complete.
#
# Guess: the plan that is kept in the folder belongs to a package, so that another package is planned anew.
# Found (Swift 6.3.1): the plan is only compared with the files of the package it was made for. If these are
# unchanged, it is taken for that of whatever package is built there next; `swift build` ends with 0 and builds nothing.
# `--disable-build-manifest-caching` cures it, and both packages then share what they compile alike.
#
#   usage: findings/shared-scratch-path.sh     prints what was built; ends with 1 if the second package is built
set -eu
command -v swift >/dev/null || { echo 'swift is missing' >&2; exit 69; }
swift --version 2>/dev/null | head -n 1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for name in First Second; do
  mkdir -p "$folder/$name/Sources/$name"
  cat >"$folder/$name/Package.swift" <<END
// swift-tools-version: 6.0
import PackageDescription
let package = Package(name: "$name", targets: [.executableTarget(name: "$name")])
END
  echo "print(\"$name\")" >"$folder/$name/Sources/$name/main.swift"
done

build() { # package, options
  package=$1
  shift
  swift build --package-path "$folder/$package" --scratch-path "$folder/build" "$@" >"$folder/log" 2>&1
  printf '%s: exit %d, "%s"' "$package" $? "$(tail -n 1 "$folder/log")"
  if [ -x "$folder/build/debug/$package" ]; then echo ', a program'; else echo ', no program'; fi
}

build First
build First # the plan is used again from here on
build Second
[ ! -x "$folder/build/debug/Second" ] || { echo 'The second package was built.'; exit 1; }
build Second --disable-build-manifest-caching
[ -x "$folder/build/debug/Second" ]
