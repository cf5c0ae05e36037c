#!/bin/sh
# Runs libFuzzer on one reader of foreign data, and says what to do with an input that breaks it.
#
#   sh Resources/fuzz.sh BUILD TARGET [OPTION...]
#
# BUILD is the directory of the build by `make fuzz`. The options are libFuzzer's; a file among them
# is run alone. The inputs that reach new code stay in BUILD/fuzz/TARGET/corpus.
set -u
build=$1
target=$2
shift 2
corpus=Tests/FuzzTests/Corpus
if [ ! -d "$corpus/$target" ]; then
  echo "daybook: no fuzz target $target; make fuzz lists them" >&2
  exit 64
fi
directory=$PWD/$build/fuzz/$target
mkdir -p "$directory"
# The runtime's own report of a crash would take it from libFuzzer.
env SWIFT_BACKTRACE=enable=no ASAN_OPTIONS="detect_leaks=0:${ASAN_OPTIONS:-}" \
  FUZZ_TARGET="$target" FUZZ_DIRECTORY="$directory" FUZZ_ARGS="$*" \
  "$build/daybookPackageTests.xctest" --testing-library swift-testing --filter 'FuzzTests\.LibFuzzer' \
  </dev/null
code=$?
for input in "$directory"/crash-* "$directory"/timeout-* "$directory"/oom-*; do
  [ -f "$input" ] || continue
  cat >&2 <<END
daybook: broken by $input
  run it alone:      make fuzz TARGET=$target ARGS=$input
  keep it, mended:   mv $input $corpus/$target/NAME-OF-THE-FAULT
END
  code=1
done
exit $code
