#!/bin/sh
# Makes a Debian package of what `make install` put into a directory: package.sh ROOT VERSION DAY OUT.
# Without debhelper, because nothing here needs more than dpkg itself.
set -eu
umask 022
root=$1 version=$2 day=$3 out=$4
here=$(dirname "$0")
arch=$(dpkg --print-architecture)
doc=$root/usr/share/doc/daybook
# Every build of one release gives the same package.
: "${SOURCE_DATE_EPOCH:=$(date -ud "$day" +%s)}"
export SOURCE_DATE_EPOCH

mkdir -p "$doc" "$root/DEBIAN"
cp "$here/copyright" "$doc/copyright"
{
  printf 'daybook (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md.gz.\n\n' "$version"
  printf ' -- %s  %s\n' "$(sed -n 's/^Maintainer: //p' "$here/control")" "$(date -Rud "@$SOURCE_DATE_EPOCH")"
} | gzip -n9 >"$doc/changelog.gz"
gzip -n9 <"$here/../CHANGELOG.md" >"$doc/CHANGELOG.md.gz"
mkdir -p "$root/usr/share/lintian/overrides"
cp "$here/lintian-overrides" "$root/usr/share/lintian/overrides/daybook"
chmod 644 "$doc/copyright" "$doc/"*.gz "$root/usr/share/lintian/overrides/daybook"

# The libraries that the program is linked with, as packages with the versions that it was linked with.
# Debian 13 has other names for those whose times have 64 bits on machines of 32 bits.
depends() {
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  mkdir "$work/debian"
  printf 'Source: daybook\n\nPackage: daybook\nArchitecture: any\n' >"$work/debian/control"
  binary=$(realpath "$root/usr/bin/daybook")
  (cd "$work" && dpkg-shlibdeps -O "$binary" 2>/dev/null) | sed -n 's/^shlibs:Depends=//p' |
    sed -E 's/\blibreadline8(t64)?( \([^)]*\))?/libreadline8t64\2 | libreadline8\2/'
}

size=$(du -sk --apparent-size --exclude=DEBIAN "$root" | cut -f1)
{
  sed -e "s/@VERSION@/$version/" -e "s/@ARCHITECTURE@/$arch/" -e "s/@SIZE@/$size/" \
    -e "s/@DEPENDS@/$(depends | sed 's/[&/]/\\&/g')/" "$here/control"
} >"$root/DEBIAN/control"
(cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
chmod 644 "$root/DEBIAN/control" "$root/DEBIAN/md5sums"
find "$root" -type d -exec chmod 755 {} +
find "$root" -newermt "@$SOURCE_DATE_EPOCH" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +

package=$out/daybook_${version}_$arch.deb
dpkg-deb --root-owner-group --build "$root" "$package" >&2
rm -rf "$root"
echo "$package"
