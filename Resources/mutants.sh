#!/bin/bash
# Shows that the tests notice faults: the mutants, patches in Tests/Mutants.
#
#   bash Resources/mutants.sh check    whether all patches apply together, and have their first lines
#   bash Resources/mutants.sh copy     the same; then writes the copy with all of them in .build-mutants/tree
#   bash Resources/mutants.sh run BUILD    runs the suites of each mutant in the built copy; they must fail
#
# A patch makes its fault switchable, so that one build has all of them: `mutant("name")` is true in a process
# with DAYBOOK_MUTANT=name. The first line of a patch says the fault, the second one the suites that notice it.
# MUTANT=name runs one; EVERY=10 one in ten, others each day; BOUND the seconds after which a run counts as hung.
set -euo pipefail
fail() { echo "daybook: mutants: $*" >&2; exit 1; }
suites() { sed -n '2s/^Suites: //p' "Tests/Mutants/$1.patch"; }

check() {
  . Resources/patched.sh
  begin_copy .build-mutants
  local patch name faults suite
  faults=$(in_copy grep --cached -ohE '(struct|class|extension|enum) [A-Za-z0-9]+Tests\b' -- Tests | awk '{ print $2 }' | sort -u)
  for patch in Tests/Mutants/*.patch; do
    name=$(basename "$patch" .patch)
    sed -n 1p "$patch" | grep -q '^[A-Z0-9`].*\.$' || fail "$patch does not begin with a sentence"
    [ -n "$(suites "$name")" ] || fail "$patch names no suite"
    for suite in $(suites "$name"); do
      grep -qx "$suite" <<<"$faults" || fail "$patch names $suite, which is no suite"
    done
    grep -q "^+.*mutant(\"$name\")" "$patch" || fail "$patch has no mutant(\"$name\")"
  done
  in_copy apply --cached Tests/Mutants/*.patch || fail "the patches do not apply together"
}

# Adds the function `mutant` to each module with a mutant.
add_function() {
  local file module
  for file in $(git apply --numstat Tests/Mutants/*.patch | cut -f 3 | sort -u); do
    module=$(cut -d / -f 1-2 <<<"$file")
    case $file in
      *.swift) put_file "$module/Mutant.swift" <Tests/Mutants/Mutant.swift ;;
      *.c)
        put_file "$module/Mutant.h" <Tests/Mutants/Mutant.h
        { echo '#include "Mutant.h"' && in_copy cat-file blob ":$file"; } | put_file "$file"
        ;;
    esac
  done
}

# Runs suites, and says how it ended: passed, failed, crashed, hung, or empty for no test.
run_suites() {
  local code=0
  DAYBOOK_MUTANT=$1 timeout -k 5 "$2" "$build/daybookPackageTests.xctest" --testing-library swift-testing \
    --xunit-output "$scratch/report.xml" --filter "[.](${3// /|})/" </dev/null >"$scratch/log" 2>&1 || code=$?
  case $code in
    0) if grep -aq 'Test run with [1-9]' "$scratch/log"; then echo passed; else echo empty; fi ;;
    1) echo failed ;;
    124 | 137) echo hung ;;
    *) echo crashed ;;
  esac
}

# The suites with a failure in the last run.
failed_suites() {
  awk -F '"' '/<testcase/ { suite = $2 } /<failure/ { print suite }' "$scratch"/report*.xml 2>/dev/null |
    sed 's/.*[.]//' | sort -u | tr '\n' ' '
}

run() {
  build=$(realpath "$1")
  local names=() name all result count=0 index=0 start survivors=()
  for name in Tests/Mutants/*.patch; do
    name=$(basename "$name" .patch)
    index=$((index + 1))
    if [ -n "${MUTANT:-}" ]; then
      [ "$name" = "$MUTANT" ] || continue
    elif [ -n "${EVERY:-}" ]; then
      [ $(((index + ${RESULTS_SEED:-0}) % EVERY)) = 0 ] || continue
    fi
    names+=("$name")
  done
  [ ${#names[@]} -gt 0 ] || fail "no mutant is called ${MUTANT:-so}"
  all=$(for name in "${names[@]}"; do suites "$name"; done | tr ' ' '\n' | sort -u | tr '\n' ' ' | sed 's/ $//')
  scratch=$(mktemp -d)
  trap 'rm -rf --one-file-system "$scratch"' EXIT
  mkdir "$scratch/tmp"
  export TMPDIR=$scratch/tmp QUICK=test
  result=$(run_suites "" 1200 "$all")
  [ "$result" = passed ] || { grep -a '✘' "$scratch/log" | head -n 20 >&2; fail "without a mutant the suites $result"; }
  for name in "${names[@]}"; do
    rm -rf --one-file-system "$scratch/tmp" "$scratch"/report*
    mkdir "$scratch/tmp"
    start=$(date +%s)
    result=$(run_suites "$name" "${BOUND:-120}" "$(suites "$name")")
    case $result in
      failed) result=$(failed_suites) ;;
      crashed) result="($result)" ;;
      hung)
        # It is the mutant that takes so long, and not the suites.
        result="(hung)"
        [ "$(run_suites "" "${BOUND:-120}" "$(suites "$name")")" = passed ] || result="SLOW"
        [ "$result" != SLOW ] || survivors+=("$name")
        ;;
      *) survivors+=("$name") && result="SURVIVED" ;;
    esac
    printf '%-44s %4d s  %s\n' "$name" "$(($(date +%s) - start))" "$result"
  done
  echo "daybook: ${#names[@]} mutants, ${#survivors[@]} survived"
  [ ${#survivors[@]} = 0 ] || exit 1
}

case $1 in
  check) check ;;
  copy) check && add_function && write_copy ;;
  run) run "$2" ;;
esac
