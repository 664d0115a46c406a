#!/bin/sh
# A Swift structure with two texts and some numbers, whose initializer reads each value and sets each property.
#
# Guess: the optimizer makes the structure where it is needed, like the memberwise initializer: both cost the same.
# Found (Swift 6.3.1, Linux): with three numbers that is so. With four the initializer fills a structure of its own,
# copies it, which retains both texts, and destroys it, which releases them: four atomic operations for each structure.
# `self.init(a: …, b: …)` of the same values has none of them, however many numbers there are.
# It follows that a record that is made of a row, millions of times, gives its values to the memberwise initializer.
#
#   usage: findings/struct-copied-by-its-initializer.sh     ends with 1 if both cost the same with four numbers
set -eu
command -v swiftc >/dev/null || { echo 'swiftc is missing' >&2; exit 69; }
swiftc --version 2>/dev/null | head -n 1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cat >"$folder/source.swift" <<'END'
public final class Source {
  public init() {}
  @inline(never) func number() -> Int { Int.random(in: 0...9) }
  @inline(never) func text() -> String { String(Int.random(in: 0...9)) }
}
END

retains() { # names of the numbers, form of the initializer
  {
    echo 'struct Record {'
    for name in $1 x y; do
      case $name in x | y) echo "  var $name: String" ;; *) echo "  var $name: Int" ;; esac
    done
    echo '}'
    echo 'extension Record {'
    if [ "$2" = memberwise ]; then
      arguments=
      for name in $1; do arguments="$arguments$name: source.number(), "; done
      echo "  init(_ source: Source) { self.init(${arguments}x: source.text(), y: source.text()) }"
    else
      echo '  init(_ source: Source) {'
      for name in $1; do echo "    $name = source.number()"; done
      echo '    x = source.text(); y = source.text()'
      echo '  }'
    fi
    echo '}'
    echo '@inline(never) public func total(_ source: Source) -> Int {'
    echo '  let record = Record(source)'
    printf '  return record.x.utf8.count &+ record.y.utf8.count'
    for name in $1; do printf ' &+ record.%s' "$name"; done
    printf '\n}\n'
  } >"$folder/record.swift"
  swiftc -O -wmo -module-name Records -emit-assembly -o "$folder/code.s" "$folder/source.swift" "$folder/record.swift"
  grep -cE '[[:space:]](callq?|bl)[[:space:]]+_?swift_(bridgeObjectR|r)etain' "$folder/code.s" || true
}

three=$(retains 'a b c' 'property by property')
four=$(retains 'a b c d' 'property by property')
memberwise=$(retains 'a b c d' memberwise)
echo "calls that retain: $three with three numbers, $four with four, $memberwise with four by the memberwise initializer"
[ "$four" -gt "$memberwise" ] || { echo 'Both cost the same.'; exit 1; }
