#!/bin/sh
# Installs what `make dist` made in clean Debian systems, and uses it: trial.sh DIST [SUITE...].
#
# Needs root and debootstrap. Nothing but Debian's archive is fetched, by way of MIRROR. Says how long
# each step took, and ends with 1 when one failed.
set -eu
dist=$1
shift
[ $# -gt 0 ] || set -- bookworm trixie
mirror=${MIRROR:-http://deb.debian.org/debian}
here=$(dirname "$0")
work=$(mktemp -d)
leave() {
  umount "$work"/*/dev/pts "$work"/*/proc 2>/dev/null || true
  rm -rf --one-file-system "$work"
}
trap leave EXIT
failed=0

# Runs a step in the system, and tells its time.
step() {
  began=$(date +%s)
  if chroot "$root" env -i HOME=/root PATH=/usr/bin:/bin:/usr/sbin:/sbin LC_ALL=C.UTF-8 \
    TERM=xterm-256color DEBIAN_FRONTEND=noninteractive sh -euc "$2" </dev/null >"$work/log" 2>&1; then
    result=passed
  else
    result=FAILED
    failed=1
  fi
  printf '%-9s %-44s %4d s  %s\n' "$suite" "$1" "$(($(date +%s) - began))" "$result"
  [ $result = passed ] || tail -n 20 "$work/log"
}

for suite in "$@"; do
  root=$work/$suite
  debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$work/log" 2>&1 ||
    { tail -n 20 "$work/log"; exit 1; }
  # Terminals, and what programs ask of themselves.
  mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
  ln -sf pts/ptmx "$root/dev/ptmx"
  mount -t proc proc "$root/proc"
  mkdir "$root/dist"
  cp -r "$dist"/* "$root/dist/"
  cp "$here/try.sh" "$root/dist/"
  trust='[trusted=yes]'
  [ ! -e "$dist/apt/daybook.asc" ] || trust='[signed-by=/dist/apt/daybook.asc]'

  step 'apt update' 'apt-get update'
  step 'the archive runs from any directory' \
    'apt-get install -y --no-install-recommends xz-utils libncursesw6 libsqlite3-0 libreadline8 &&
     mkdir /anywhere && tar -xJf /dist/daybook-*-linux-*.tar.xz -C /anywhere &&
     /anywhere/*/bin/daybook --journal /anywhere/j.sqlite add hello &&
     /anywhere/*/bin/daybook --journal /anywhere/j.sqlite list hello'
  step 'apt install ./daybook.deb' 'apt-get install -y /dist/daybook_*.deb'
  step 'screen, sync, seal, zip' 'useradd -m writer && su writer -c "sh -eu /dist/try.sh"'
  step 'apt remove leaves nothing' \
    'apt-get purge -y daybook && ! find /usr /etc /var/lib -path "*daybook*" -not -path "/var/lib/dpkg/*" \
       -not -path "/usr/share/doc/*" | grep .'
  step 'apt install daybook, from the repository' \
    "echo 'deb $trust file:/dist/apt stable main' >/etc/apt/sources.list.d/daybook.list &&
     apt-get update && apt-get install -y daybook && daybook --version"
done
exit $failed
