#!/bin/sh
# Fails for new commits, other than merges, whose subject has more than 72 characters. New is what a branch
# adds to the main branch of origin, or to the local one; on that branch and without it, the last commit.
set -eu
# An archive of the sources has no history.
git rev-parse --git-dir >/dev/null 2>&1 || exit 0
new='HEAD^!'
for main in origin/HEAD origin/main main; do
  if base=$(git merge-base HEAD "$main" 2>/dev/null); then
    [ "$base" = "$(git rev-parse HEAD)" ] || new=$base..HEAD
    break
  fi
done
commits=$(git rev-list --no-merges "$new")
long=$(for commit in $commits; do
  # In a shallow clone only the object of a merge has its parents.
  [ "$(git cat-file commit "$commit" | sed '/^$/q' | grep -c '^parent ')" -gt 1 ] ||
    git log -1 --format='%h %s' "$commit" | LC_ALL=C.UTF-8 grep -aE '^[0-9a-f]+ .{73}' || true
done)
[ -z "$long" ] || { echo "daybook: the subject is longer than 72 characters: $long" >&2; exit 1; }
