#!/bin/sh
# Writes the public declarations of the libraries, one a line, sorted, from a build.
#
#   sh Resources/api.sh BUILD OUTPUT
#
# BUILD is a build directory such as .build/release, OUTPUT a directory for one file per library. A test compares
# them with Resources/api: a line that is gone or another one is what breaks the programs of others.
set -eu
build=$1
output=$2
triple=$(swiftc -print-target-info | sed -n 's/.*"triple": "\(.*\)".*/\1/p' | head -n 1)
sqlite=$(dirname "$(dirname "$build")")/checkouts/GRDB.swift/Sources/GRDBSQLite
test -d "$sqlite" || sqlite=$(dirname "$build")/checkouts/GRDB.swift/Sources/GRDBSQLite
graphs=$output/symbols
mkdir -p "$graphs"
for module in SectionedResults SectionedResultsFoundation SectionedResultsGRDB SectionedResultsTesting; do
  swift-symbolgraph-extract -module-name "$module" -target "$triple" -minimum-access-level public \
    -skip-synthesized-members -I "$build/Modules" -I "$sqlite" -output-dir "$graphs"
  python3 - "$graphs" "$module" >"$output/$module.txt" <<'PYTHON'
import glob, json, sys
lines = set()
for path in glob.glob(f"{sys.argv[1]}/{sys.argv[2]}*.symbols.json"):
    module = path.rsplit("/", 1)[1].split(".")[0].split("@")[0]
    if module != sys.argv[2]:
        continue
    graph = json.load(open(path))
    names = {symbol["identifier"]["precise"]: ".".join(symbol["pathComponents"]) for symbol in graph["symbols"]}
    for symbol in graph["symbols"]:
        text = "".join(part["spelling"] for part in symbol["declarationFragments"])
        lines.add(f"{'.'.join(symbol['pathComponents'])}: {' '.join(text.split())}")
    for relation in graph["relationships"]:
        if relation["kind"] == "conformsTo" and relation["source"] in names:
            target = relation.get("targetFallback") or names.get(relation["target"], relation["target"])
            lines.add(f"{names[relation['source']]} conforms to {target}")
print("\n".join(sorted(lines)))
PYTHON
done
rm -rf "$graphs"
