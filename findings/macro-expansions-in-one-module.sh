#!/bin/sh
# The time that Swift's compiler needs for an expectation of Swift Testing grows with the number of expectations
# that it reads in one process.
#
# Guess: each `#expect` costs the same, so that eight thousand in one module take eight times as long as one thousand.
# Found (Swift 6.3.1): each expansion adds a buffer to the compiler's table of source buffers, which is sorted again
# when the next source location is looked up. A test target that is compiled as a whole pays for each expansion
# in it; the same files in several processes do not.
#
#   usage: findings/macro-expansions-in-one-module.sh     prints seconds; ends with 1 if the growth is gone
set -eu
command -v swiftc >/dev/null || { echo 'swiftc is missing' >&2; exit 69; }
swiftc --version 2>/dev/null | head -n 1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

make_file() { # number
  {
    echo 'import Testing'
    echo "@Test func numbers$1() {"
    echo '  let numbers = [1, 2, 3]'
    for line in $(seq 500); do echo "  #expect(numbers.count == $line)"; done
    echo '}'
  } >"$folder/Numbers$1.swift"
}
for number in $(seq 16); do make_file "$number"; done

# The processor time of one process that checks the types of the first files.
seconds() { # number of files
  # shellcheck disable=SC2046 # several names
  set -- $(seq "$1" | sed "s|.*|$folder/Numbers&.swift|")
  python3 - "$@" <<'END'
import resource, subprocess, sys
subprocess.run(["swiftc", "-typecheck", "-parse-as-library", "-wmo", "-module-name", "Numbers"] + sys.argv[1:],
               check=True, stderr=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime)
END
}

seconds 1 >/dev/null # the modules are cached
few=$(seconds 2)
many=$(seconds 16)
awk -v few="$few" -v many="$many" 'BEGIN {
  printf "1,000 expectations: %.2f s, %.2f ms each\n", few, few
  printf "8,000 expectations: %.2f s, %.2f ms each\n", many, many / 8
  exit !(many / 8 > 1.25 * few)
}'
