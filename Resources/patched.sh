# A copy of the working tree with patches, for drills.sh and mutants.sh, which read this file.
#
# It stays in its directory, so that a second build compiles what changed.

# An archive of the sources has no index.
git rev-parse --git-dir >/dev/null 2>&1 || { echo "daybook: patches need git" >&2; exit 0; }

# Begins a copy in a directory, with the working tree as it is, also files that are not committed. They are
# in an index and a store of objects of its own.
begin_copy() {
  copy=$PWD/$1
  mkdir -p "$copy/objects" "$copy/tree"
  objects=$(git rev-parse --path-format=absolute --git-path objects)
  index=$(mktemp "$copy/index.XXXXXX")
  trap 'rm -f "$index"' EXIT
  cp "$(git rev-parse --git-path index)" "$index"
  in_copy add --all
}

# Runs git on the index of the copy.
in_copy() {
  GIT_INDEX_FILE=$index GIT_OBJECT_DIRECTORY=$copy/objects GIT_ALTERNATE_OBJECT_DIRECTORIES=$objects git "$@"
}

# Puts a file with the contents of standard input into the copy.
put_file() {
  in_copy update-index --add --cacheinfo "100644,$(in_copy hash-object -w --stdin),$1"
}

# Writes the files of the copy. Unchanged ones keep their dates, which a build compares.
write_copy() {
  changed=$(in_copy write-tree)
  GIT_INDEX_FILE=$copy/index GIT_WORK_TREE=$copy/tree GIT_OBJECT_DIRECTORY=$copy/objects \
    GIT_ALTERNATE_OBJECT_DIRECTORIES=$objects git read-tree --reset -u "$changed"
  # The versions of other packages, where SwiftPM has chosen them.
  [ ! -e Package.resolved ] || cp -p Package.resolved "$copy/tree"
}
