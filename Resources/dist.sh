#!/bin/sh
# Makes the archives of a release beside its Debian package: dist.sh VERSION DAY CHECKOUTS OUT [KEY].
#
# OUT has the package and a directory with what `make install` made; CHECKOUTS has the sources of other
# packages. A KEY is what gpg --local-user takes: it signs the checksums and the apt repository.
set -eu
umask 022
version=$1 day=$2 checkouts=$3 out=$4 key=${5-}
here=$(dirname "$0")
repository=$(cd "$here/.." && pwd)
binary=daybook-$version-linux-$(uname -m)
source=daybook-$version

# Every archive of one release has the same bytes.
pack() {
  tar -C "$out" --sort=name --mtime="$day 00:00Z" --owner=0 --group=0 --numeric-owner \
    --mode=u+rw,go+r-w -cJf "$out/$1.tar.xz" "$1"
  rm -rf "${out:?}/$1"
}

# The binary archive runs where it is unpacked.
cp "$here/debian/copyright" "$here/licenses/GPL-3.0-or-later.txt" "$out/$binary/"
cat >"$out/$binary/README" <<TEXT
Daybook $version, a journal in the terminal, for Linux on $(uname -m).

  bin/daybook                      opens the journal
  sudo cp -r bin share /usr/local  installs it, with manual pages and completions

It needs the C library of Debian 12 or later ($(ldd --version | sed -n '1s/.* //p')), ncurses (libncursesw6),
SQLite (libsqlite3-0) and readline (libreadline8 or libreadline8t64). It uses git to sync,
libsodium to seal, libarchive for zip files, and libxml2 for XML and HTML, where they are.

Its sources are in $source.tar.xz. It comes without any warranty: see copyright.
TEXT
pack "$binary"

# The source archive builds without a network: vendor has what Package.swift names.
mkdir -p "$out/$source/vendor"
git -C "$repository" archive HEAD | tar -xC "$out/$source"
for package in "$checkouts"/*/; do
  name=$(basename "$package")
  mkdir "$out/$source/vendor/$name"
  git -C "$package" archive HEAD -- . ':!Tests' ':!Documentation' ':!Examples' ':!*.xcodeproj/*' \
    ':!*.xcworkspace/*' ':!*.png' ':!*.jpg' | tar -xC "$out/$source/vendor/$name"
done
pack "$source"

# An apt repository in a directory for any web server.
pool=pool/main/d/daybook
architecture=$(dpkg --print-architecture)
index=dists/stable/main/binary-$architecture
mkdir -p "$out/apt/$pool" "$out/apt/$index"
cp "$out/daybook_${version}_$architecture.deb" "$out/apt/$pool/"
(
  cd "$out/apt"
  apt-ftparchive packages pool >"$index/Packages"
  gzip -n9k "$index/Packages"
  apt-ftparchive -o APT::FTPArchive::Release::Origin=Daybook \
    -o APT::FTPArchive::Release::Suite=stable -o APT::FTPArchive::Release::Codename=stable \
    -o APT::FTPArchive::Release::Components=main \
    -o "APT::FTPArchive::Release::Architectures=$architecture" release dists/stable >Release
  mv Release dists/stable/Release
  if [ -n "$key" ]; then
    gpg --batch --yes --local-user "$key" --clearsign -o dists/stable/InRelease dists/stable/Release
    gpg --batch --yes --local-user "$key" -abo dists/stable/Release.gpg dists/stable/Release
    gpg --batch --yes --armor -o daybook.asc --export "$key"
  fi
)

(cd "$out" && sha256sum -- *.deb *.tar.xz >SHA256SUMS)
if [ -n "$key" ]; then
  gpg --batch --yes --local-user "$key" --clearsign -o "$out/SHA256SUMS.asc" "$out/SHA256SUMS"
else
  echo "daybook: nothing is signed; make dist KEY=NAME signs with that key of gpg" >&2
fi
ls -l "$out" >&2
