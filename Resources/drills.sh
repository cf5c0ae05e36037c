#!/bin/sh
# Applies the drills of CONTRIBUTING, patches in Tests/Drills, to a copy of the working tree.
#   drills.sh check    each alone, then all together, and their counts of Swift files in Sources
#   drills.sh run      the same; then builds the copy with all of them, and runs the suites that they name
# The copy and its build directory stay in .build-drills, so that a second run builds what changed.
set -eu
# An archive of the sources has no index.
git rev-parse --git-dir >/dev/null 2>&1 || { echo "daybook: drills need git" >&2; exit 0; }
copy=$PWD/.build-drills
mkdir -p "$copy/objects" "$copy/tree"
objects=$(git rev-parse --path-format=absolute --git-path objects)
# The working tree as it is, with files that are not committed, in an index and a store of its own.
index=$(mktemp "$copy/index.XXXXXX")
trap 'rm -f "$index"' EXIT
cp "$(git rev-parse --git-path index)" "$index"
drill() {
  GIT_INDEX_FILE=$index GIT_OBJECT_DIRECTORY=$copy/objects GIT_ALTERNATE_OBJECT_DIRECTORIES=$objects git "$@"
}
fail() { echo "daybook: drills: $*" >&2; exit 1; }

drill add --all
for patch in Tests/Drills/*.patch; do
  drill apply --check --cached "$patch" || fail "$patch does not apply"
  said=$(sed -n "s|^\`$patch\` is this drill: \([0-9]*\) Swift files.*|\1|p" Resources/CONTRIBUTING.md)
  found=$(git apply --numstat "$patch" | grep -c '	Sources/.*\.swift$') || true
  [ "$said" = "$found" ] || fail "$patch touches $found Swift files, CONTRIBUTING says ${said:-nothing of it}"
done
for patch in Tests/Drills/*.patch; do
  drill apply --cached "$patch" || fail "$patch does not apply together with those before it"
done
[ "$1" = run ] || exit 0

# Unchanged files keep their dates, which a build compares.
changed=$(drill write-tree)
GIT_INDEX_FILE=$copy/index GIT_WORK_TREE=$copy/tree GIT_OBJECT_DIRECTORY=$copy/objects \
  GIT_ALTERNATE_OBJECT_DIRECTORIES=$objects git read-tree --reset -u "$changed"
# The versions of other packages, where SwiftPM has chosen them.
[ ! -e Package.resolved ] || cp -p Package.resolved "$copy/tree"
suites=$(sed -n 's/^Suites: //p' Tests/Drills/*.patch | tr '\n ' '||' | sed 's/|*$//')
exec make --no-print-directory -C "$copy/tree" test FILTER="[.]($suites)/"
