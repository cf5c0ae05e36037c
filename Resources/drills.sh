#!/bin/sh
# Applies the drills of CONTRIBUTING, patches in Tests/Drills, to a copy of the working tree.
#   drills.sh check         each alone, then all together, and their counts of Swift files in Sources
#   drills.sh run [NAME]    the same; then builds the copy with all of them, or with one, and runs the suites
#                           that they name; NAME may be today, for another one each day
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

name=${2:-}
set -- Tests/Drills/*.patch
if [ "$name" = today ]; then
  shift $(($(date -u +%s) / 86400 % $#))
  name=$(basename "$1" .patch)
fi
if [ -n "$name" ]; then
  set -- "Tests/Drills/$name.patch"
  [ -e "$1" ] || fail "there is no drill $name"
  rm -f "$index"
  begin_copy .build-drills
  in_copy apply --cached "$1"
  echo "daybook: the drill of $name" >&2
fi
write_copy
suites=$(sed -n 's/^Suites: //p' "$@" | tr '\n ' '||' | sed 's/|*$//')
# Only the targets that have these suites are built.
targets=$(cd "$copy/tree" && grep -rlE "^ *(final )?(struct|class|actor) ($suites)\b" Tests | cut -d / -f 2 | sort -u)
export TEST_TARGETS="$(echo $targets)"
exec make --no-print-directory -C "$copy/tree" test FILTER="[.]($suites)/"
