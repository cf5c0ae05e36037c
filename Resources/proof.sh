#!/bin/sh
# Runs the long forms of the random and fault tests, one after the other, and says how long each took.
#
#   sh Resources/proof.sh BUILD [VARIABLE...]
#
# BUILD is the directory of the test build; with variables, only their lines run.
set -u
build=$1
shift
failed=0
while read -r setting suites; do
  variable=${setting%%=*}
  case " $* " in
    "  " | *" $variable "*) ;;
    *) continue ;;
  esac
  start=$(date +%s)
  if env "$setting" "$build/daybookPackageTests.xctest" --testing-library swift-testing \
    --filter "$suites" </dev/null >"$build/proof.log" 2>&1 &&
    grep -aq 'Test run with [1-9]' "$build/proof.log"; then
    result=passed
  else
    result=FAILED
    failed=1
    grep -a '✘' "$build/proof.log" | head -n 20
  fi
  printf '%-26s %6d s  %s\n' "$setting" "$(($(date +%s) - start))" "$result"
done <<'LINES'
RESULTS_STRESS=100000 StressTests|StoreStressTests|ReorderingOracleTests|SnapshotOracleTests
POWERCUT_ROUNDS=45 PowerCutTests
FAULT_STRIDE=1 EveryChangeTests|FailingCallTests|FullDiskTests|SealCommandTests|KindsAgreeTests|StreamTests|DamagedIndexTests
COMMAND_KILLS=1000 RandomKillTests
TYPING_KILLS=200 KillTests
TYPING_LEDGERS=300 TypingLedgerTests
TERMINAL_RESIZES=2000 TerminalStormTests
DAMAGE_ROUNDS=5000 DamageTests
MUTATION_ROUNDS=100000 ConfigMutationTests|FuzzTests
EXTREME_COMMANDS=99 ExtremeValueTests
GIT_CUTS=2000 JournalSyncTests.FaultTests
GIT_KILLS=500 JournalSyncTests.FaultTests
GIT_FILES=1000000 CommitTests
GIT_SYNCS=10000 MaintenanceTests
SYNC_HISTORIES=1000 SyncModelTests
SIMULATION_SECONDS=3600 SimulationTests
SYNC_KILLS=200 SyncFaultTests|SyncDiskTests
SYNC_CUTS=3 SyncPowerCutTests
SYNC_MUTATIONS=1000 SyncHostileTests
SYNC_FILES=100000 SyncHostileTests
LINES
exit $failed
