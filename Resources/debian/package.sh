#!/bin/sh
# Makes a Debian package of what `make install` put into a directory: package.sh ROOT VERSION OUT.
# Without debhelper, because nothing here needs more than dpkg itself.
set -eu
umask 022
root=$1 version=$2 out=$3
here=$(dirname "$0")
arch=$(dpkg --print-architecture)
doc=$root/usr/share/doc/daybook
# Every build of one state of the sources gives the same package.
: "${SOURCE_DATE_EPOCH:=$(git -C "$here" log -1 --format=%ct 2>/dev/null || stat -c %Y "$here/changelog")}"
export SOURCE_DATE_EPOCH

mkdir -p "$doc" "$root/DEBIAN"
cp "$here/copyright" "$doc/copyright"
gzip -n9 <"$here/changelog" >"$doc/changelog.gz"
mkdir -p "$root/usr/share/lintian/overrides"
cp "$here/lintian-overrides" "$root/usr/share/lintian/overrides/daybook"
chmod 644 "$doc/copyright" "$doc/changelog.gz" "$root/usr/share/lintian/overrides/daybook"

# The libraries the program asks for by name, as packages with the versions it was linked with.
depends() {
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  mkdir "$work/debian"
  printf 'Source: daybook\n\nPackage: daybook\nArchitecture: any\n' >"$work/debian/control"
  binary=$(realpath "$root/usr/bin/daybook")
  (cd "$work" && dpkg-shlibdeps -O "$binary" 2>/dev/null) | sed -n 's/^shlibs:Depends=//p'
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
