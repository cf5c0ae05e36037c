#!/bin/sh
# Makes the documentation of the libraries from a build, with DocC of the toolchain; every warning fails.
#
#   sh Resources/docs.sh BUILD OUTPUT
#
# BUILD is a build directory such as .build/release, OUTPUT a directory for one archive per library.
set -eu
build=$1
output=$2
sources=$(dirname "$0")/../Sources
triple=$(swiftc -print-target-info | sed -n 's/.*"triple": "\(.*\)".*/\1/p' | head -n 1)
# GRDB imports SQLite through a module map of its own, which is no product of the build.
sqlite=$(dirname "$(dirname "$build")")/checkouts/GRDB.swift/Sources/GRDBSQLite
test -d "$sqlite" || sqlite=$(dirname "$build")/checkouts/GRDB.swift/Sources/GRDBSQLite

for module in SectionedResults SectionedResultsFoundation SectionedResultsGRDB SectionedResultsTesting; do
  graphs=$output/$module.symbols
  rm -rf "$graphs" "$output/$module.doccarchive"
  mkdir -p "$graphs"
  swift-symbolgraph-extract -module-name "$module" -target "$triple" -minimum-access-level public \
    -skip-synthesized-members -I "$build/Modules" -I "$sqlite" -output-dir "$graphs"
  catalog=$sources/$module/$module.docc
  test -d "$catalog" || catalog=
  docc convert ${catalog:+"$catalog"} --additional-symbol-graph-dir "$graphs" \
    --fallback-display-name "$module" --fallback-bundle-identifier "$module" \
    --warnings-as-errors --output-path "$output/$module.doccarchive"
  rm -rf "$graphs"
done
