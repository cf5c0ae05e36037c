#!/bin/bash
# Runs the built tests, and says of a run that failed what repeats each suite that did.
#
#   bash Resources/tests.sh TARGET BUILD [OPTION...]
#
# TARGET is the target of make; BUILD is the directory of the test build. Without options the tests run in
# parts, each a process, three at once: those with a screen take turns within a process, on one processor, and
# a part that is short makes room for the next.
set -uo pipefail
target=$1
build=$2
shift 2
report=.build/report
mkdir -p .build && rm -f $report*
# Runs the tests of one process. A line per test argument would be most of the log; a failing
# argument is printed, and again at the end. Swift's tests take a pipe for a terminal with colours.
run() {
  local part=$1
  shift
  "$build/daybookPackageTests.xctest" --testing-library swift-testing --xunit-output "$report-$part.xml" "$@" \
    </dev/null 2>&1 |
    sed -u -e '/ Test case passing /d' -e 's/\x1b\[[0-9;]*m//g' -e "/ recorded an issue \\|^↳ /w $report-$part.issues"
}
# Files that nobody has committed, where there is git.
strangers() { git ls-files --others --exclude-standard 2>/dev/null | sort; }
export QUICK=test
# What tests leave behind goes with them.
scratch=$(mktemp -d) && export TMPDIR=$scratch
trap 'rm -rf --one-file-system "$scratch"' EXIT
failed=0
before=$(strangers)
# The longest first; what none of them names is the last part. Those of the program are one part: run side by
# side, a text of an editor was missing once, whose file is where all programs of a user have theirs.
parts=('^DaybookTests\.' '^JournalStoreTests\.' '^JournalSyncTests\.' '^JournalFormatsTests\.')
run_part() { if [ "$1" -lt ${#parts[@]} ]; then run "$1" --filter "${parts[$1]}"; else run "$1" --skip "$others"; fi; }
others=$(IFS='|' && echo "${parts[*]}")
if [ $# -gt 0 ]; then
  run all "$@" || failed=1
else
  for ((part = 0; part <= ${#parts[@]}; part++)); do
    [ $part -lt 3 ] || wait -n
    { run_part $part && touch $report-$part.passed; } &
  done
  wait
  for ((part = 0; part <= ${#parts[@]}; part++)); do
    [ -e $report-$part.passed ] && continue
    failed=1 && echo "daybook: these tests did not pass or did not end: ${parts[$part]:-all others}" >&2
  done
fi
left=$(comm -13 <(echo "$before") <(strangers))
[ -z "$left" ] || { failed=1 && echo "daybook: tests left files in the sources:" $left >&2; }
[ $failed != 0 ] || exit 0
cat $report*.issues | cut -c -600 | head -20 >&2
echo "daybook: to repeat what failed:" >&2
awk -F '"' -v command="make $target RESULTS_SEED=${RESULTS_SEED:-} FILTER=" \
  '/<testcase/ { suite = $2 } /<failure/ { print "  " command suite }' $report*.xml | sort -u >&2
exit 1
