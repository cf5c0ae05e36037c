#!/bin/sh
# Applies the drills of CONTRIBUTING, patches in Tests/Drills, to a copy of the working tree.
#   drills.sh check    each alone, then all together, and their counts of Swift files in Sources
#   drills.sh run      the same; then builds the copy with all of them, and runs the suites that they name
# The copy and its build directory stay in .build-drills.
set -eu
. Resources/patched.sh
fail() { echo "daybook: drills: $*" >&2; exit 1; }

begin_copy .build-drills
for patch in Tests/Drills/*.patch; do
  in_copy apply --check --cached "$patch" || fail "$patch does not apply"
  said=$(sed -n "s|^\`$patch\` is this drill: \([0-9]*\) Swift files.*|\1|p" Resources/CONTRIBUTING.md)
  found=$(git apply --numstat "$patch" | grep -c '	Sources/.*\.swift$') || true
  [ "$said" = "$found" ] || fail "$patch touches $found Swift files, CONTRIBUTING says ${said:-nothing of it}"
done
for patch in Tests/Drills/*.patch; do
  in_copy apply --cached "$patch" || fail "$patch does not apply together with those before it"
done
[ "$1" = run ] || exit 0

write_copy
suites=$(sed -n 's/^Suites: //p' Tests/Drills/*.patch | tr '\n ' '||' | sed 's/|*$//')
exec make --no-print-directory -C "$copy/tree" test FILTER="[.]($suites)/"
