#!/bin/bash
# Measures how much of the modules that keep, merge, seal, list and import entries their tests run.
#
#   bash Resources/coverage.sh BUILD [OPTION...]
#
# BUILD is a test build with coverage; options choose tests. It prints lines and regions of each module beside
# the floors in Resources/coverage.txt, then the files with the most regions that no test runs, and fails under
# a floor. A region is a piece of code between two branches: Swift counts no branches. REPORT=DIRECTORY also
# writes the sources with their counts.
set -uo pipefail
build=$1
shift
floors=Resources/coverage.txt
tools=$(dirname "$(readlink -f "$(command -v swift)")")
binary=$build/daybookPackageTests.xctest
scratch=$(mktemp -d)
trap 'rm -rf --one-file-system "$scratch"' EXIT
mkdir "$scratch/tmp" "$scratch/counts"
# Thousands of processes add their counts to a few files.
LLVM_PROFILE_FILE=$scratch/counts/%4m.profraw TMPDIR=$scratch/tmp QUICK=test \
  "$binary" --testing-library swift-testing "$@" </dev/null >"$scratch/log" 2>&1 || {
  sed 's/\x1b\[[0-9;]*m//g' "$scratch/log" | grep -a '✘' | head -n 20 >&2
  echo "daybook: the tests failed, so their coverage counts for nothing" >&2
  exit 1
}
"$tools/llvm-profdata" merge -sparse "$scratch"/counts/*.profraw -o "$scratch/counts.profdata" || exit 1
modules=$(sed -n 's/^\([A-Za-z]*\) [0-9].*/\1/p' $floors)
for module in $modules; do
  "$tools/llvm-cov" report "$binary" -instr-profile "$scratch/counts.profdata" "Sources/$module" |
    # Of a module without counts it lists all files.
    grep -vE '^(Sources|Tests)/' | sed -nE "s#^[^ ]*/Sources/$module/##; s#^[^ ]+[.](swift|c|h) #$module/&#p"
done >"$scratch/report"
if [ -n "${REPORT:-}" ]; then
  sources=$(for module in $modules; do echo "Sources/$module"; done)
  # shellcheck disable=SC2086
  "$tools/llvm-cov" show "$binary" -instr-profile "$scratch/counts.profdata" -format=html \
    -output-dir="$REPORT" $sources
fi
awk -v names="$modules" '
  function share(all, missed) { return 100 * (all - missed) / all }
  # The floors, and the reasons why some files have regions that no test runs.
  FNR == NR && NF == 3 && $2 ~ /^[0-9]/ { lineFloor[$1] = $2; regionFloor[$1] = $3; next }
  FNR == NR && /^[A-Za-z]+[/]/ { file = $1; sub(/^[^ ]+ +/, ""); reason[file] = $0; next }
  FNR == NR { next }
  # A file: its regions, the missed ones, and the same of functions and lines.
  {
    module = $1; sub(/[/].*/, "", module)
    regions[module] += $2; missedRegions[module] += $3; lines[module] += $8; missedLines[module] += $9
    missed[$1] = $3; of[$1] = $2
  }
  END {
    printf "%-22s %8s %8s %8s %8s\n", "module", "lines", "floor", "regions", "floor"
    count = split(names, order, "\n"); failed = count == 0
    for (i = 1; i <= count; i++) {
      module = order[i]
      if (lines[module] == 0) {
        failed = 1; print "daybook: " module " has no line that was counted" >"/dev/stderr"
        continue
      }
      line = share(lines[module], missedLines[module]); region = share(regions[module], missedRegions[module])
      printf "%-22s %7.1f%% %7.1f%% %7.1f%% %7.1f%%\n", module, line, lineFloor[module], region, regionFloor[module]
      # The floors have one decimal.
      if (line < lineFloor[module] - 0.05 || region < regionFloor[module] - 0.05) {
        failed = 1; print "daybook: " module " is under its floor" >"/dev/stderr"
      }
    }
    fflush()
    sort = "sort -rn | head -n 30"
    for (name in missed) if (missed[name] > 0)
      printf "%5d of %5d regions  %-50s %s\n", missed[name], of[name], name, reason[name] | sort
    close(sort)
    exit failed
  }
' $floors "$scratch/report"
